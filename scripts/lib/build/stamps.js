'use strict';

/** Detects changed files: a hash over the files, kept in a stamp file beside the output made from them. */

const fs = require('node:fs');
const path = require('node:path');
const { createHash } = require('node:crypto');

/**
 * @param {string} directory
 * @returns {string[]} every file below it, in an order that does not depend on the machine
 */
function filesBelow(directory) {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/**
 * @param {string} base names are hashed relative to it, so that a moved checkout stays fresh
 * @param {readonly string[]} files absent ones count as absent
 */
function hashFiles(base, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${path.relative(base, file)}\0`);
    if (fs.existsSync(file)) hash.update(fs.readFileSync(file));
    hash.update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} file @param {string} hash */
function isStamped(file, hash) {
  return fs.existsSync(file) && fs.readFileSync(file, 'utf8') === hash;
}

module.exports = { filesBelow, hashFiles, isStamped };

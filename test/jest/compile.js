'use strict';

/** Turns TypeScript and ES modules into CommonJS, as jest runs it. */

const fs = require('node:fs');
const path = require('node:path');
const { transformSync } = require('@swc/core');
const options = require('../../scripts/lib/swc-options');

/** @type {Map<string, boolean>} */
const moduleFolders = new Map();

/** Whether the nearest package.json says that .js files are ES modules. @param {string} folder @returns {boolean} */
function holdsModules(folder) {
  let known = moduleFolders.get(folder);
  if (known === undefined) {
    const description = path.join(folder, 'package.json');
    if (fs.existsSync(description)) known = JSON.parse(fs.readFileSync(description, 'utf8')).type === 'module';
    else known = folder !== path.dirname(folder) && holdsModules(path.dirname(folder));
    moduleFolders.set(folder, known);
  }
  return known;
}

/** @param {string} file */
function isEsModule(file) {
  return /\.(tsx?|mjs)$/.test(file) || (file.endsWith('.js') && holdsModules(path.dirname(file)));
}

/** @param {string} file @returns {string} */
function toCommonJs(file) {
  const text = fs.readFileSync(file, 'utf8');
  if (!isEsModule(file)) return text.replace(/^#!.*/, '');
  return transformSync(text, { ...options, filename: file }).code;
}

module.exports = { toCommonJs };

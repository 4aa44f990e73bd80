'use strict';

/**
 * Handles damaged files of a private Redis. Nothing in Redis must last: the files are set aside, Redis starts empty,
 * and the nodes publish again what it lacks.
 */

const fs = require('node:fs');
const path = require('node:path');
const { isDiskFull } = require('./full-disk');

/** All files that Redis reads when it starts. */
const FILES = ['appendonlydir', 'appendonly.aof', 'dump.rdb'];

/** Redis's own messages about files that it cannot read, of versions 6.2 to 8. */
const DAMAGE = [
  /Bad file format reading the append only file/,
  /Unexpected end of file reading the append only file/,
  /Unrecoverable error reading the append only file/,
  /AOF MANIFEST FILE ERROR/,
  /AOF file .*(No such file|doesn't exist|is not a regular file)/,
  /append-only dir .*Not a directory/,
  /Internal error in RDB|RDB file reading failure|Wrong signature trying to load DB|loading DB\. Unrecoverable/i,
  /Can't handle RDB format version|Unknown RDB encoding type|Fatal error loading the DB/,
  // Redis may also crash while it reads them.
  /REDIS BUG REPORT START/,
];

/** After this message Redis has read its files, whatever it dies of later. */
const LOADED = /Ready to accept connections/;

/** @param {string} output of a Redis that ended before it answered */
function saysDamaged(output) {
  return !LOADED.test(output) && DAMAGE.some((words) => words.test(output));
}

/**
 * @param {string} dir
 * @param {string} output of a Redis that ended before it answered
 * @returns {string | undefined} what was done, in words; undefined if its files are not the reason
 */
function setDamagedAside(dir, output) {
  const found = FILES.filter((name) => fs.existsSync(path.join(dir, name)));
  // On a full disk Redis may fail to write what it then cannot read; its files may still be whole.
  if (found.length === 0 || !saysDamaged(output) || isDiskFull(dir, output)) return undefined;
  const aside = path.join(dir, `damaged-${new Date().toISOString().replaceAll(':', '-')}`);
  fs.mkdirSync(aside, { mode: 0o700 });
  for (const name of found) fs.renameSync(path.join(dir, name), path.join(aside, name));
  return `its files were damaged and are set aside in ${aside}; it starts empty, and everything is published again`;
}

module.exports = { saysDamaged, setDamagedAside };

'use strict';

/** The log files of the children: one file each, appended to, and rotated when it becomes too large. */

const fs = require('node:fs');
const path = require('node:path');

const LIMIT_BYTES = 20 * 1024 * 1024;

/** @param {string} file */
function sizeOf(file) {
  try {
    return fs.statSync(file).size;
  } catch {
    return 0;
  }
}

/**
 * @param {string} directory
 * @param {string} name
 * @param {number} [limit]
 */
function openLog(directory, name, limit = LIMIT_BYTES) {
  const file = path.join(directory, `${name}.log`);
  if (sizeOf(file) > limit) fs.renameSync(file, `${file}.1`);
  const begin = sizeOf(file);
  return {
    file,
    descriptor: fs.openSync(file, 'a', 0o600),
    /** What has been written since the file was opened. */
    since: () => fs.readFileSync(file).subarray(begin).toString(),
  };
}

/** @param {string} file @param {number} lines */
function lastLines(file, lines) {
  try {
    return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}

module.exports = { openLog, lastLines };

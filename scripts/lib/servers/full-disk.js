'use strict';

/** Tells a server that has no room on its disk from one that fails for another reason. Time or a person makes room. */

const fs = require('node:fs');

/** The words of MariaDB, Redis and Node. MariaDB names the error by its number, or not at all. */
const WORDS =
  /no space left on device|(failed with error|errno:|errcode:) 28\b|out of disk space|disk is full writing/i;

/** MariaDB does not start with less: a file that it makes at each start has 12 MiB. */
const MIN_BYTES = 16 * 1024 * 1024;

/** @param {string} directory */
function hasRoom(directory) {
  try {
    const { bavail, bsize } = fs.statfsSync(directory);
    return bavail * bsize >= MIN_BYTES;
  } catch {
    return true;
  }
}

/**
 * Also looks at the disk itself: what a server says may be lost for want of room.
 *
 * @param {string} directory
 * @param {string} output of a server that did not come up
 */
const isDiskFull = (directory, output) => WORDS.test(output) || !hasRoom(directory);

module.exports = { isDiskFull };

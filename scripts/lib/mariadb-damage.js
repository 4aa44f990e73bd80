'use strict';

/**
 * Tells a MariaDB that cannot read its data from one that cannot start for another reason. Everything that lasts is in
 * those data: nothing of them is touched, and nobody tries again until a person has looked.
 */

const { isDiskFull } = require('./full-disk');

/** MariaDB's own words about data that it cannot read. */
const DAMAGE = [
  /InnoDB: .*(corrupt|damaged|checksum|header page|tablespace id|is of a different size|invalid)/i,
  /InnoDB: .*(missing|cannot (open|find)|could not (open|find)).*(ibdata|ib_logfile|undo|tablespace)/i,
  /Plugin 'InnoDB' (init function returned error|registration as a STORAGE ENGINE failed)/,
  /Unknown\/unsupported storage engine: (InnoDB|Aria)/,
  /Aria (engine|recovery).*(fail|corrupt|crash)/i,
  /Can't open and lock privilege tables|Could not open mysql\.|(mysql|\.\/mysql)[./]\w+'? (doesn't exist|is marked as crashed)/,
  /(mysqld|mariadbd) got (signal|exception)/,
];

/** Reasons that a person or time removes, and that make InnoDB give up as damage does. A full disk is one more. */
const OTHERWISE =
  /Unable to lock|Cannot allocate memory|Permission denied|Address already in use|Too many open files|Read-only file system/i;

/**
 * @param {string} data
 * @param {string} output of a MariaDB that ended before it answered
 * @returns {string | undefined} what to do, in words; undefined if its data are not the reason
 */
function damagedData(data, output) {
  if (OTHERWISE.test(output) || !DAMAGE.some((words) => words.test(output))) return undefined;
  if (isDiskFull(data, output)) return undefined;
  return (
    `MariaDB cannot read its data in ${data} (its last words are above). Nothing in there was changed: restore a ` +
    'backup of that directory, or set DATA_DIR to another directory to start anew, and run npm start again.'
  );
}

module.exports = { damagedData };

'use strict';

/**
 * Distinguishes a MariaDB that cannot read its data from one that cannot start for another reason. These data are the
 * only permanent ones: nothing of them is changed, and nothing is retried until a person has looked.
 */

const { isDiskFull } = require('./full-disk');

/** MariaDB's own messages about data that it cannot read. */
const DAMAGE = [
  /InnoDB: .*(corrupt|damaged|checksum|header page|tablespace id|is of a different size|invalid)/i,
  /InnoDB: .*(missing|cannot (open|find)|could not (open|find)).*(ibdata|ib_logfile|undo|tablespace)/i,
  /Plugin 'InnoDB' (init function returned error|registration as a STORAGE ENGINE failed)/,
  /Unknown\/unsupported storage engine: (InnoDB|Aria)/,
  /Aria (engine|recovery).*(fail|corrupt|crash)/i,
  /Can't open and lock privilege tables|Could not open mysql\.|(mysql|\.\/mysql)[./]\w+'? (doesn't exist|is marked as crashed)/,
  /(mysqld|mariadbd) got (signal|exception)/,
];

/**
 * Conditions that a person must remove or that pass by themselves, although InnoDB gives up on them as on damage. A full
 * disk is one more.
 */
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

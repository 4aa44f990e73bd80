'use strict';

/**
 * Creates a MariaDB data directory in a third of a second: feeds the server's own SQL files to its bootstrap mode,
 * without the help tables. It has no account that can log in; each start adds those (mariadb.js).
 */

const fs = require('node:fs');
const path = require('node:path');
const { Failure } = require('../failure');
const { runCommand } = require('../run-command');

/** @typedef {import('../programs/programs').Program} Program */

const TABLES = 'mysql_system_tables.sql';

/** @param {Program} program */
function shareDirectory(program) {
  // Distributions use slightly different names. The directory of the program is tried before the system's.
  const places = [path.dirname(path.dirname(program.path)), path.join(program.prefix, 'usr')].flatMap((base) => [
    path.join(base, 'share/mysql'),
    path.join(base, 'share/mariadb'),
  ]);
  const place = places.find((each) => fs.existsSync(path.join(each, TABLES)));
  if (place === undefined) {
    throw new Failure(`No ${TABLES} in ${places.join(', ')}: the MariaDB at ${program.path} is not complete.`);
  }
  return place;
}

/**
 * Flags every run of the server needs, bootstrap or not.
 *
 * @param {Program} program
 * @param {{ data: string, tmp: string }} places tmp is of this server alone: at its start a server deletes the
 *   temporary tables it finds there, and in /tmp those would be another server's
 */
function baseFlags(program, { data, tmp }) {
  fs.mkdirSync(tmp, { recursive: true, mode: 0o700 });
  const flags = [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${tmp}`,
    `--lc-messages-dir=${shareDirectory(program)}`,
    '--skip-log-bin',
  ];
  // As root, the server refuses to run without this option.
  return process.getuid?.() === 0 ? [...flags, '--user=root'] : flags;
}

/** @param {Program} program */
function bootstrapSql(program) {
  const share = shareDirectory(program);
  return [
    'CREATE DATABASE mysql;',
    'USE mysql;',
    fs.readFileSync(path.join(share, TABLES), 'utf8'),
    fs.readFileSync(path.join(share, 'mysql_system_tables_data.sql'), 'utf8'),
    // The default accounts have no password.
    "DELETE FROM global_priv WHERE User <> 'mariadb.sys';",
    'DELETE FROM proxies_priv;',
    '',
  ].join('\n');
}

/**
 * Creates the data directory unless it exists. An interrupted attempt leaves nothing that looks complete.
 *
 * @param {Program} program
 * @param {string} directory
 */
async function bootstrapMariadb(program, directory) {
  if (fs.existsSync(path.join(directory, 'mysql'))) return;
  const parent = path.dirname(directory);
  fs.mkdirSync(parent, { recursive: true });
  const draft = fs.mkdtempSync(path.join(parent, 'mariadb-new-'));
  try {
    const data = path.join(draft, 'data');
    fs.mkdirSync(data, { mode: 0o700 });
    const flags = baseFlags(program, { data, tmp: path.join(draft, 'tmp') });
    const args = [...flags, '--bootstrap', '--innodb-log-file-size=8M', '--log-warnings=0'];
    const env = { ...process.env, ...program.env };
    const outcome = await runCommand(program.path, args, { input: bootstrapSql(program), env });
    if (outcome.code !== 0) {
      throw new Failure('MariaDB could not create its data directory (its words are above); is the disk full?', {
        detail: outcome.all.split('\n').slice(-20).join('\n'),
      });
    }
    moveIntoPlace(data, directory);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** @param {string} from @param {string} to */
function moveIntoPlace(from, to) {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    // Another run may have been faster; its template is just as good.
    if (!fs.existsSync(path.join(to, 'mysql'))) throw error;
  }
}

module.exports = { bootstrapMariadb, baseFlags };

'use strict';

/** A private MariaDB on loopback: one account with a random password, and durable unless a test chooses otherwise. */

const fs = require('node:fs');
const path = require('node:path');
const { createHash, randomBytes } = require('node:crypto');
const { baseFlags, bootstrapMariadb } = require('./mariadb-bootstrap');
const { damagedData } = require('./mariadb-damage');
const { privateDirectory, writePrivate } = require('../paths');
const { converse, onFreePorts } = require('../ports');
const { startServer } = require('./server-process');
const { programFor } = require('../test/test-programs');

/** @typedef {import('../programs/programs').Program} Program */

/**
 * @typedef {object} MariadbOptions
 * @property {string} dir holds data/, the start-up SQL and, in tests, the log
 * @property {number} [port] a free one when absent
 * @property {string} [password] random when absent
 * @property {boolean} [durable] default yes; no: test flags, four times as fast
 * @property {boolean} [everything] the account may do all, also create databases (tests, benchmarks)
 * @property {string} [template] an existing data directory to copy instead of making one
 * @property {string[]} [extra] further flags
 * @property {Program} [program] which server to run; in tests the one TEST_SERVICES names
 */

const CHARACTERS = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci';
const PROTOCOL_VERSION = 10;

/**
 * Run by the server before it lets anybody in, unless it has run before: the account always has the password we know,
 * even when the file that held the old one was deleted.
 *
 * @param {string} password base64url, so it needs no quoting
 * @param {boolean} everything
 */
function startupSql(password, everything) {
  const lines = [`CREATE DATABASE IF NOT EXISTS partyline ${CHARACTERS};`];
  for (const account of ["'partyline'@'127.0.0.1'", "'partyline'@'localhost'"]) {
    lines.push(`CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}';`);
    lines.push(`ALTER USER ${account} IDENTIFIED BY '${password}';`);
    lines.push(`GRANT ALL PRIVILEGES ON ${everything ? '*.*' : 'partyline.*'} TO ${account};`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * The start-up SQL, run once and not at each start: accounts are Aria tables, which a start on a full disk would begin to
 * write and not finish. As its last statement the server notes in its data which text it has run, so that a copy of the
 * data brings the note along.
 *
 * @param {string} dir
 * @param {string} data
 * @param {string} text
 */
function prepareStartup(dir, data, text) {
  const file = path.join(dir, 'startup.sql');
  const note = path.join(data, 'startup.done');
  const hash = createHash('sha256').update(text).digest('hex');
  const hasRun = () =>
    fs.existsSync(note) && fs.readFileSync(note, 'utf8').trim() === hash && fs.existsSync(path.join(data, 'partyline'));
  if (hasRun()) writePrivate(file, '');
  else {
    fs.rmSync(note, { force: true });
    writePrivate(file, `${text}SELECT '${hash}' INTO OUTFILE '${note.replaceAll("'", "''")}';\n`);
  }
  return {
    file,
    /** For the next starts of the same command; needs no room on the disk. */
    forget: () => {
      if (hasRun()) fs.truncateSync(file);
    },
  };
}

/** @param {boolean} durable */
function storageFlags(durable) {
  if (durable) {
    return ['--innodb-buffer-pool-size=128M', '--innodb-log-file-size=48M', '--innodb-flush-log-at-trx-commit=1'];
  }
  return [
    // Tests create and drop thousands of tables: a small log would often have to be flushed.
    '--innodb-buffer-pool-size=96M',
    '--innodb-log-file-size=64M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=0',
    '--innodb-flush-method=nosync',
    // A database of 139 tables is created and dropped for each test file; these options halve the time.
    '--debug-no-sync',
    '--innodb-file-per-table=0',
    // Tests of query plans turn persistent statistics on for their tables, as in production: test/support/kernel/rows-read.ts.
    '--innodb-stats-persistent=0',
  ];
}

/**
 * Everything but the start itself: the supervisor starts it again and again with the same command.
 *
 * @param {MariadbOptions & { port: number, password: string, program: Program }} options
 */
async function prepareMariadb(options) {
  const dir = privateDirectory(path.resolve(options.dir));
  const data = path.join(dir, 'data');
  if (options.template !== undefined && !fs.existsSync(data)) fs.cpSync(options.template, data, { recursive: true });
  await bootstrapMariadb(options.program, data);
  const startup = prepareStartup(dir, data, startupSql(options.password, options.everything ?? false));
  return {
    command: options.program.path,
    args: [
      ...baseFlags(options.program, { data, tmp: path.join(dir, 'tmp') }),
      `--init-file=${startup.file}`,
      // Relative to the data directory, which the server changes to first: the path of a socket must be short.
      '--socket=mariadb.sock',
      '--pid-file=mariadb.pid',
      '--bind-address=127.0.0.1',
      `--port=${options.port}`,
      '--skip-name-resolve',
      '--performance-schema=0',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_520_ci',
      '--transaction-isolation=READ-COMMITTED',
      '--innodb-lock-wait-timeout=5',
      '--max-connections=200',
      // On a machine that stalls for a while, a handshake takes longer than the default ten seconds.
      '--connect-timeout=120',
      ...storageFlags(options.durable ?? true),
      ...(options.extra ?? []),
    ],
    env: options.program.env,
    cwd: dir,
    url: `mysql://partyline:${options.password}@127.0.0.1:${options.port}/partyline`,
    isReady: async () => {
      if (!(await mariadbAnswers(options.port))) return false;
      startup.forget();
      return true;
    },
    /** @param {string} output */
    giveUp: (output) => damagedData(data, output),
  };
}

/**
 * The server sends its greeting first; an error instead of the greeting means that it is up but accepts no clients.
 *
 * @param {number} port
 */
async function mariadbAnswers(port) {
  const greeting = await converse(port);
  return greeting[4] === PROTOCOL_VERSION;
}

/**
 * Starts a server and waits until it accepts clients.
 *
 * @param {MariadbOptions} options
 */
async function startMariadb(options) {
  const password = options.password ?? randomBytes(18).toString('base64url');
  const program = options.program ?? programFor('mariadb');
  return onFreePorts(async (next) => {
    const port = options.port ?? (await next());
    const prepared = await prepareMariadb({ ...options, port, password, program });
    const server = await startServer('mariadb', prepared, options.dir);
    return { ...server, url: prepared.url, port, password, dir: options.dir };
  });
}

module.exports = { prepareMariadb, startMariadb, startupSql };

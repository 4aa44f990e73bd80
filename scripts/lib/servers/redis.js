'use strict';

/** A private Redis on loopback, with a password that is never on a command line. */

const fs = require('node:fs');
const path = require('node:path');
const { randomBytes } = require('node:crypto');
const { isDiskFull } = require('./full-disk');
const { startServer } = require('./server-process');
const { programFor } = require('../test/test-programs');
const { privateDirectory, writePrivate } = require('../paths');
const { converse, onFreePorts } = require('../ports');

/** @typedef {import('../programs/programs').Program} Program */

/**
 * @typedef {object} RedisOptions
 * @property {string} dir data and configuration; made when absent
 * @property {number} [port] a free one when absent
 * @property {string} [password] random when absent; '' for none
 * @property {boolean} [appendonly] keep data over a restart (default yes)
 * @property {string[]} [extra] further lines of configuration
 * @property {Program} [program] which server to run; in tests the one TEST_SERVICES names
 */

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

/**
 * Nothing in Redis must last: damaged files are set aside, Redis starts empty, and the nodes publish again what it lacks.
 *
 * @param {string} dir
 * @param {string} output of a Redis that ended before it answered
 * @returns {string | undefined} what was done, in words; undefined if its files are not the reason
 */
function setDamagedAside(dir, output) {
  const found = FILES.filter((name) => fs.existsSync(path.join(dir, name)));
  // On a full disk Redis may fail to write what it then cannot read; its files may still be whole.
  if (found.length === 0 || LOADED.test(output) || isDiskFull(dir, output)) return undefined;
  if (!DAMAGE.some((words) => words.test(output))) return undefined;
  const aside = path.join(dir, `damaged-${new Date().toISOString().replaceAll(':', '-')}`);
  fs.mkdirSync(aside, { mode: 0o700 });
  for (const name of found) fs.renameSync(path.join(dir, name), path.join(aside, name));
  return `its files were damaged and are set aside in ${aside}; it starts empty, and everything is published again`;
}

/** @param {{ dir: string, port: number, password: string, appendonly: boolean, extra: string[] }} options */
function redisConfiguration({ dir, port, password, appendonly, extra }) {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    'protected-mode yes',
    ...(password === '' ? [] : [`requirepass ${password}`]),
    `dir "${dir.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    `appendonly ${appendonly ? 'yes' : 'no'}`,
    'appendfsync everysec',
    'save ""',
    // Evicting a key would silently lose an event or a job.
    'maxmemory-policy noeviction',
    'daemonize no',
    ...extra,
    '',
  ].join('\n');
}

/**
 * Everything but the start itself: the supervisor starts it again and again with the same command.
 *
 * @param {RedisOptions & { port: number, password: string, program: Program }} options
 */
function prepareRedis(options) {
  const dir = privateDirectory(path.resolve(options.dir));
  const configuration = path.join(dir, 'redis.conf');
  writePrivate(
    configuration,
    redisConfiguration({
      dir,
      port: options.port,
      password: options.password,
      appendonly: options.appendonly ?? true,
      extra: options.extra ?? [],
    }),
  );
  const credentials = options.password === '' ? '' : `:${options.password}@`;
  return {
    command: options.program.path,
    args: [configuration],
    env: options.program.env,
    cwd: dir,
    url: `redis://${credentials}127.0.0.1:${options.port}`,
    isReady: () => redisAnswers(options.port, options.password),
    /** @param {string} output */
    mend: (output) => setDamagedAside(dir, output),
  };
}

/** @param {number} port @param {string} password */
async function redisAnswers(port, password) {
  const login = password === '' ? '' : `AUTH ${password}\r\n`;
  const answer = await converse(port, { say: `${login}PING\r\n`, lines: password === '' ? 1 : 2 });
  // While Redis loads its file it answers -LOADING.
  return answer.toString().endsWith('+PONG\r\n');
}

/**
 * Starts Redis and waits until it answers.
 *
 * @param {RedisOptions} options
 */
async function startRedis(options) {
  const password = options.password ?? randomBytes(18).toString('base64url');
  const program = options.program ?? programFor('redis');
  return onFreePorts(async (next) => {
    const port = options.port ?? (await next());
    const prepared = prepareRedis({ ...options, port, password, program });
    const server = await startServer('redis', prepared, options.dir);
    return { ...server, url: prepared.url, port, password, dir: options.dir };
  });
}

/** @param {string} dir forget everything it has kept */
function wipeRedis(dir) {
  fs.rmSync(path.join(dir, 'appendonlydir'), { recursive: true, force: true });
  for (const file of ['appendonly.aof', 'dump.rdb']) fs.rmSync(path.join(dir, file), { force: true });
}

module.exports = { prepareRedis, startRedis, wipeRedis, redisConfiguration };

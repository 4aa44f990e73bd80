'use strict';

/** A private Redis on loopback, with a password that is never on a command line. */

const fs = require('node:fs');
const path = require('node:path');
const { randomBytes } = require('node:crypto');
const { setDamagedAside } = require('./redis-damage');
const { startServer } = require('./server-process');
const { programFor } = require('./test-programs');
const { privateDirectory, writePrivate } = require('./paths');
const { converse, onFreePorts } = require('./ports');

/** @typedef {import('./programs').Program} Program */

/**
 * @typedef {object} RedisOptions
 * @property {string} dir data and configuration; made when absent
 * @property {number} [port] a free one when absent
 * @property {string} [password] random when absent; '' for none
 * @property {boolean} [appendonly] keep data over a restart (default yes)
 * @property {string[]} [extra] further lines of configuration
 * @property {Program} [program] which server to run; in tests the one TEST_SERVICES names
 */

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

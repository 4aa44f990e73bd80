'use strict';

/**
 * Redis and MariaDB for one run of the tests or benchmarks: unused ports, a directory below .cache, and nothing left
 * behind, however the run ends.
 */

const fs = require('node:fs');
const path = require('node:path');
const { removeAtDeath } = require('../guard');
const { startMariadb } = require('./mariadb');
const { bootstrapMariadb } = require('./mariadb-bootstrap');
const { cache, privateDirectory } = require('../paths');
const { isAlive } = require('../processes');
const { startRedis } = require('./redis');

/** @typedef {import('../programs/programs').Program} Program */

/** Runs that were killed together with their guard leave a directory, whose name contains the pid of the run. */
function sweepRuns() {
  if (!fs.existsSync(cache)) return;
  for (const name of fs.readdirSync(cache)) {
    const match = /^run-(\d+)$/.exec(name);
    if (match !== null && !isAlive(Number(match[1]))) {
      fs.rmSync(path.join(cache, name), { recursive: true, force: true });
    }
  }
}

/** @returns {string} the directory of this run */
function openRun() {
  sweepRuns();
  const directory = privateDirectory(path.join(cache, `run-${process.pid}`));
  removeAtDeath(directory);
  return directory;
}

/** @param {string} directory */
function closeRun(directory) {
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/**
 * A data directory that is created once per server version and then copied, because tests start many servers.
 *
 * @param {Program} program
 */
async function mariadbTemplate(program) {
  const directory = path.join(cache, 'services', process.arch, `mariadb-template-${program.version}`);
  await bootstrapMariadb(program, directory);
  return directory;
}

/**
 * @param {string} directory
 * @param {Record<'redis' | 'mariadb', Program>} programs
 * @param {{ durable?: boolean }} [options] durable: as in production, for benchmarks
 */
async function startThrowawayServers(directory, programs, { durable = false } = {}) {
  const template = await mariadbTemplate(programs.mariadb);
  const [redis, mariadb] = await Promise.all([
    startRedis({ dir: path.join(directory, 'redis'), program: programs.redis, appendonly: durable }),
    startMariadb({
      dir: path.join(directory, 'mariadb'),
      program: programs.mariadb,
      template,
      durable,
      everything: true,
    }),
  ]);
  return {
    redisUrl: redis.url,
    databaseUrl: mariadb.url,
    stop: async () => {
      await Promise.all([redis.kill(), mariadb.kill()]);
    },
  };
}

module.exports = { openRun, closeRun, startThrowawayServers, mariadbTemplate };

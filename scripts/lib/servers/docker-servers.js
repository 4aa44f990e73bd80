'use strict';

/** The last resort for Redis and MariaDB: containers, if a Docker engine with the compose plugin answers. */

const { createHash } = require('node:crypto');
const path = require('node:path');
const { Failure } = require('../failure');
const { privateDirectory, writePrivate } = require('../paths');
const { runCommand } = require('../run-command');

/** @typedef {import('./private-servers').ServerName} ServerName */
/** @typedef {import('./private-servers').Access} Access */

const ENGINE_MS = 10_000;

async function engineAnswers() {
  // The client may be installed without an engine, and may then wait for one forever.
  for (const args of [['info'], ['compose', 'version']]) {
    const outcome = await runCommand('docker', args, { timeout: ENGINE_MS });
    if (outcome.code !== 0) return false;
  }
  return true;
}

/**
 * Passwords are passed in the environment of the compose command, not in the file.
 *
 * @param {readonly ServerName[]} wanted
 * @param {Record<ServerName, Access>} endpoints
 */
function composeFile(wanted, endpoints) {
  const all = {
    redis: {
      image: 'redis:7',
      command: ['sh', '-c', 'exec redis-server --requirepass "$$REDIS_PASSWORD" --appendonly yes --save ""'],
      environment: ['REDIS_PASSWORD'],
      ports: [`127.0.0.1:${endpoints.redis.port}:6379`],
      volumes: ['redis:/data'],
      healthcheck: {
        test: ['CMD-SHELL', 'redis-cli --no-auth-warning -a "$$REDIS_PASSWORD" ping | grep -q PONG'],
        interval: '1s',
        retries: 60,
      },
    },
    mariadb: {
      image: 'mariadb:10.11',
      command: [
        '--transaction-isolation=READ-COMMITTED',
        '--character-set-server=utf8mb4',
        '--collation-server=utf8mb4_unicode_520_ci',
      ],
      environment: [
        'MARIADB_PASSWORD',
        'MARIADB_USER=partyline',
        'MARIADB_DATABASE=partyline',
        'MARIADB_RANDOM_ROOT_PASSWORD=1',
      ],
      ports: [`127.0.0.1:${endpoints.mariadb.port}:3306`],
      volumes: ['mariadb:/var/lib/mysql'],
      healthcheck: {
        test: ['CMD', 'healthcheck.sh', '--connect', '--innodb_initialized'],
        interval: '1s',
        retries: 60,
      },
    },
  };
  const services = Object.fromEntries(wanted.map((name) => [name, all[name]]));
  const volumes = Object.fromEntries(wanted.map((name) => [name, {}]));
  // Compose reads YAML, and JSON is valid YAML.
  return JSON.stringify({ services, volumes }, null, 2);
}

/**
 * @param {string} dataDir
 * @param {readonly ServerName[]} wanted
 * @param {Record<ServerName, Access>} endpoints
 * @param {import('../progress').Progress} progress
 * @returns {Promise<{ redisUrl?: string, databaseUrl?: string, stop: () => Promise<void> } | undefined>} undefined: no engine
 */
async function dockerServers(dataDir, wanted, endpoints, progress) {
  if (!(await engineAnswers())) return undefined;
  const file = path.join(privateDirectory(path.join(dataDir, 'docker')), 'compose.json');
  writePrivate(file, composeFile(wanted, endpoints));
  const project = `partyline-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  /** @param {string[]} args */
  const compose = (args) =>
    runCommand('docker', ['compose', '-p', project, '-f', file, ...args], {
      env: { ...process.env, REDIS_PASSWORD: endpoints.redis.password, MARIADB_PASSWORD: endpoints.mariadb.password },
    });
  await progress.step(`Starting ${wanted.join(' and ')} by docker compose`, async () => {
    const outcome = await compose(['up', '--detach', '--wait']);
    if (outcome.code !== 0) {
      throw new Failure('docker compose failed (see above): correct it, or set REDIS_URL and DATABASE_URL.', {
        detail: outcome.all.split('\n').slice(-20).join('\n'),
      });
    }
  });
  const { redis, mariadb } = endpoints;
  return {
    ...(wanted.includes('redis') ? { redisUrl: `redis://:${redis.password}@127.0.0.1:${redis.port}` } : {}),
    ...(wanted.includes('mariadb')
      ? { databaseUrl: `mysql://partyline:${mariadb.password}@127.0.0.1:${mariadb.port}/partyline` }
      : {}),
    stop: async () => {
      await compose(['stop']);
    },
  };
}

module.exports = { dockerServers, composeFile };

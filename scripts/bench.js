'use strict';

/** npm run bench -- …: the benchmarks, on private services set up as in production. Arguments go to the benchmarks. */

const path = require('node:path');
const { ensureBuild } = require('./lib/build/build');
const { ensureWebBuild } = require('./lib/build/build-web');
const { ensureDependencies } = require('./lib/build/dependencies');
const { reportFailure } = require('./lib/failure');
const { fetchPrograms } = require('./lib/programs/fetch-programs');
const { spawnGuarded } = require('./lib/guard');
const { onInterrupt } = require('./lib/interrupts');
const { checkNodeVersion } = require('./lib/node-version');
const { root } = require('./lib/paths');
const { createProgress } = require('./lib/progress');
const { endRunning } = require('./lib/run-command');
const { closeRun, openRun, startThrowawayServers } = require('./lib/servers/throwaway-servers');

const progress = createProgress();
/** @type {import('node:child_process').ChildProcess | undefined} */
let bench;

/**
 * @param {Record<string, string>} env
 * @returns {Promise<number>} the exit code
 */
function runBench(env) {
  const main = path.join(root, 'dist/bench/main.js');
  const child = spawnGuarded(process.execPath, ['--enable-source-maps', main, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  bench = child;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Options that only print need no servers. */
const PRINTS = new Set(['--markdown', '--draw', '--simulate', '--list', '--help', '-h']);

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
/** Only these benchmarks need Chromium, which is a large download. */
const isWebWanted = names.length === 0 || names.some((name) => /^web(?!hooks)/.test(name));

/** Only these benchmarks need the other chat servers. */
const arePeersWanted = names.some((name) => name.startsWith('peers'));

/** @returns {import('./lib/programs/programs').ProgramName[]} besides those that every benchmark needs */
const moreWanted = () => [
  ...(isWebWanted ? /** @type {const} */ (['chromium']) : []),
  ...(arePeersWanted ? /** @type {const} */ (['ejabberd', 'prosody']) : []),
];

async function benchAll() {
  checkNodeVersion();
  await ensureDependencies(progress);
  await ensureBuild(progress);
  if (process.argv.slice(2).some((argument) => PRINTS.has(argument))) return runBench({});
  if (isWebWanted) await ensureWebBuild(progress);
  const programs = await progress.step('Getting the servers', (note) =>
    fetchPrograms(['redis', 'mariadb', 'haproxy', ...moreWanted()], note),
  );
  const directory = openRun();
  try {
    const services = await progress.step('Starting Redis and MariaDB', () =>
      startThrowawayServers(directory, programs, { durable: true }),
    );
    try {
      return await runBench({
        BENCH_RUN_DIR: directory,
        BENCH_REDIS_URL: services.redisUrl,
        BENCH_DATABASE_URL: services.databaseUrl,
        TEST_SERVICES: JSON.stringify(programs),
      });
    } finally {
      await services.stop();
    }
  } finally {
    closeRun(directory);
  }
}

async function main() {
  onInterrupt({
    stop: () => {
      endRunning('SIGTERM');
      bench?.kill('SIGTERM');
    },
    hurry: () => process.exit(130),
  });
  try {
    process.exitCode = await benchAll();
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

void main();

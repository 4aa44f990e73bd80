'use strict';

/**
 * npm test: types, lint, format, then every test on private services of this run. Nothing is left behind.
 *
 *   npm test                          everything
 *   npm test -- test/store -t 'name'  further arguments go to jest
 *   npm test -- --unit                the unit tests alone, without services
 *   npm test -- --quick …             without types, lint and format, while you are at work on something
 *
 * The last line is always `N passed, M failed`.
 */

const { countLine } = require('./lib/counts');
const { ensureDependencies } = require('./lib/dependencies');
const { tellFailure } = require('./lib/failure');
const { fetchPrograms } = require('./lib/fetch-programs');
const { onInterrupt } = require('./lib/interrupts');
const { runJest } = require('./lib/jest-run');
const { checkNodeVersion } = require('./lib/node-version');
const { createProgress } = require('./lib/progress');
const { endRunning } = require('./lib/run-command');
const { runStaticChecks } = require('./lib/static-checks');
const { closeRun, openRun, startThrowawayServers } = require('./lib/throwaway-servers');

const progress = createProgress();
const own = new Set(['--unit', '--quick']);
const args = process.argv.slice(2);
const jestArgs = args.filter((each) => !own.has(each));

/** @type {import('node:child_process').ChildProcess | undefined} */
let jest;
let interrupted = false;

/** @param {string} directory @param {Record<string, string>} env */
async function jestIn(directory, env) {
  // Last, because the option takes every word after it for a project.
  const project = args.includes('--unit') ? ['--selectProjects', 'unit'] : [];
  return runJest([...jestArgs, ...project], {
    directory,
    env,
    onStart: (child) => {
      jest = child;
      if (interrupted) child.kill('SIGTERM');
    },
  });
}

/** @typedef {Awaited<ReturnType<typeof getPrograms>>} Programs */

function getPrograms() {
  return progress.step('Getting Redis, MariaDB and HAProxy', (note) =>
    fetchPrograms(['redis', 'mariadb', 'haproxy'], note),
  );
}

/** @param {string} directory @param {Programs} programs */
async function testWithServers(directory, programs) {
  const services = await progress.step('Starting Redis and MariaDB', () => startThrowawayServers(directory, programs));
  try {
    return await jestIn(directory, {
      TEST_REDIS_URL: services.redisUrl,
      TEST_DATABASE_URL: services.databaseUrl,
      TEST_SERVICES: JSON.stringify(programs),
    });
  } finally {
    await services.stop();
  }
}

/** @returns {Promise<boolean>} whether the sources are worth testing */
async function checkSources() {
  await ensureDependencies(progress);
  if (args.includes('--quick')) return true;
  const failures = await runStaticChecks(progress);
  for (const failure of failures) tellFailure(failure);
  return failures.length === 0;
}

async function testAll() {
  checkNodeVersion();
  const unit = args.includes('--unit');
  const [programs, sound] = await Promise.all([unit ? undefined : getPrograms(), checkSources()]);
  if (!sound || interrupted) return { passed: 0, failed: 1 };
  const directory = openRun();
  try {
    return programs === undefined ? await jestIn(directory, {}) : await testWithServers(directory, programs);
  } finally {
    closeRun(directory);
  }
}

async function main() {
  onInterrupt({
    stop: () => {
      interrupted = true;
      endRunning('SIGTERM');
      jest?.kill('SIGTERM');
    },
    // The guards end the services and remove the directory.
    hurry: () => process.exit(130),
  });
  let counts = { passed: 0, failed: 1 };
  try {
    counts = await testAll();
  } catch (error) {
    process.exitCode = tellFailure(error);
    // What failed may have left its neighbour at work.
    endRunning('SIGTERM');
  }
  if (counts.failed > 0) process.exitCode ||= 1;
  if (interrupted) process.exitCode = 130;
  console.log(countLine(counts));
}

void main();

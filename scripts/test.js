'use strict';

/**
 * npm test: types, lint, format, then every test on private services of this run. Nothing is left behind.
 *
 *   npm test                          everything, and parts of it again on other releases of Node
 *   npm test -- test/store -t 'name'  further arguments go to jest
 *   npm test -- --unit                the unit tests alone, without services
 *   npm test -- --quick …             without types, lint and format, while you are at work on something
 *   npm test -- --node=24 …           on that release of Node; see lib/test-plan.js
 *
 * The last line is always `N passed, M failed`.
 */

const path = require('node:path');
const { countLine } = require('./lib/counts');
const { ensureWebBuild } = require('./lib/build-web');
const { ensureDependencies } = require('./lib/dependencies');
const { reportFailure } = require('./lib/failure');
const { fetchNode } = require('./lib/fetch-node');
const { fetchPrograms } = require('./lib/fetch-programs');
const { onInterrupt } = require('./lib/interrupts');
const { runJest } = require('./lib/jest-run');
const { checkNodeVersion } = require('./lib/node-version');
const { createProgress } = require('./lib/progress');
const { endRunning } = require('./lib/run-command');
const { runStaticChecks } = require('./lib/static-checks');
const { writeGroups } = require('./lib/test-groups');
const { planTests, wantsAsterisk, wantsBrowser, wantsGalera } = require('./lib/test-plan');
const { closeRun, openRun, startThrowawayServers } = require('./lib/throwaway-servers');

const progress = createProgress();
const args = process.argv.slice(2);

/** @type {import('node:child_process').ChildProcess | undefined} */
let jest;
let interrupted = false;

/** More than twice what everything takes on two cores: what still runs then hangs, and is named. */
const LONGEST_RUN_MS = 75 * 60_000;
/** Further arguments may ask for more than everything, as npm run faults does. */
const endAt = args.length === 0 ? Date.now() + LONGEST_RUN_MS : Number.POSITIVE_INFINITY;

/**
 * One run after the other, also after one that failed, so that one `npm test` shows everything that is wrong.
 *
 * @param {readonly NodeRun[]} runs
 * @param {string} directory
 * @param {Record<string, string>} env
 */
async function runAll(runs, directory, env) {
  const total = { passed: 0, failed: 0 };
  for (const [index, { node, release, share, args: jestArgs }] of runs.entries()) {
    if (interrupted) break;
    if (Date.now() > endAt) {
      console.error(`FAIL the time of the run is over: nothing was tested on Node ${node.version}`);
      total.failed += 1;
      continue;
    }
    if (runs.length > 1) progress.line(`\nNode ${node.version} ${jestArgs.join(' ')}`);
    const groups = share && path.join(directory, `groups-${index}`);
    if (groups) writeGroups(groups, share);
    const { passed, failed } = await runJest(jestArgs, {
      node: node.path,
      directory,
      env: {
        ...env,
        TEST_GROUPS: groups ?? '',
        TEST_SEARCH: release && share ? 'short' : '',
        TESTS_END_AT: String(endAt),
      },
      onStart: (child) => {
        jest = child;
        if (interrupted) child.kill('SIGTERM');
      },
    });
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

const thisNode = { version: process.versions.node, path: process.execPath };

/** @typedef {{ node: import('./lib/fetch-node').FetchedNode } & import('./lib/test-plan').TestRun} NodeRun */

/** @returns {Promise<NodeRun[]>} what is to run, on which program */
async function getNodes() {
  const plan = planTests(args);
  const versions = new Set(plan.flatMap(({ release }) => release?.version ?? []));
  /** @param {typeof plan[number]} run */
  const withNode = async (run) => ({ ...run, node: run.release ? await fetchNode(run.release) : thisNode });
  if (versions.size === 0) return Promise.all(plan.map(withNode));
  return progress.step(`Getting Node ${[...versions].join(', ')}`, () => Promise.all(plan.map(withNode)));
}

/** @typedef {Awaited<ReturnType<typeof getPrograms>>} Programs */

async function getPrograms() {
  const servers = progress.step('Getting Redis, MariaDB and HAProxy', (note) =>
    fetchPrograms(['redis', 'mariadb', 'haproxy'], note),
  );
  const pbx = wantsAsterisk(args) ? getAsterisk() : Promise.resolve({});
  const browser = wantsBrowser(args) ? getBrowser() : Promise.resolve({});
  const cluster = wantsGalera(args) ? getGalera() : Promise.resolve({});
  return { ...(await servers), ...(await pbx), ...(await browser), ...(await cluster) };
}

function getGalera() {
  return progress.step('Getting Galera', (note) =>
    fetchPrograms(['galera'], note).catch((/** @type {Error} */ error) => {
      note(`tests with a Galera cluster are skipped: ${error.message.split(': install')[0]}`);
      return {};
    }),
  );
}

function getBrowser() {
  return progress.step('Getting Chromium', (note) =>
    fetchPrograms(['chromium'], note).catch((/** @type {Error} */ error) => {
      note(`tests in a browser are skipped: ${error.message.split(': install')[0]}`);
      return {};
    }),
  );
}

/** A machine that cannot have an Asterisk tests with the exchanges that were recorded from one. */
function getAsterisk() {
  return progress.step('Getting Asterisk and SIPp', (note) =>
    fetchPrograms(['asterisk', 'sipp'], note).catch((/** @type {Error} */ error) => {
      note(`tests with a live Asterisk are skipped: ${error.message.split(': install')[0]}`);
      return {};
    }),
  );
}

/**
 * @param {readonly NodeRun[]} runs
 * @param {string} directory
 * @param {Programs} programs
 */
async function testWithServers(runs, directory, programs) {
  const services = await progress.step('Starting Redis and MariaDB', () => startThrowawayServers(directory, programs));
  try {
    return await runAll(runs, directory, {
      // Such as a Redis Cluster that somebody has: each test file keeps to a namespace of its own.
      TEST_REDIS_URL: process.env['INTEROP_REDIS_URL'] || services.redisUrl,
      // npm run interop -- mysql names another one.
      TEST_DATABASE_URL: process.env['INTEROP_MYSQL_URL'] || services.databaseUrl,
      TEST_SERVICES: JSON.stringify(programs),
    });
  } finally {
    await services.stop();
  }
}

/** @returns {Promise<boolean>} whether the sources are worth testing */
async function checkSources() {
  await ensureDependencies(progress);
  if (wantsBrowser(args)) await ensureWebBuild(progress);
  if (args.includes('--quick')) return true;
  const failures = await runStaticChecks(progress);
  for (const failure of failures) reportFailure(failure);
  return failures.length === 0;
}

async function testAll() {
  checkNodeVersion();
  const unit = args.includes('--unit');
  const [programs, runs, sound] = await Promise.all([unit ? undefined : getPrograms(), getNodes(), checkSources()]);
  if (!sound || interrupted) return { passed: 0, failed: 1 };
  const directory = openRun();
  try {
    return programs === undefined
      ? await runAll(runs, directory, {})
      : await testWithServers(runs, directory, programs);
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
    process.exitCode = reportFailure(error);
    // What failed may have left its neighbour at work.
    endRunning('SIGTERM');
  }
  if (counts.failed > 0) process.exitCode ||= 1;
  if (interrupted) process.exitCode = 130;
  console.log(countLine(counts));
}

void main();

'use strict';

const HELP = `The tests, on private services of this run. Nothing is left behind.

  npm test                          types, lint, format, and all that a change can break
  npm run test:long                 the rest: many processes, failover, abuses, browsers, vendors
  npm run test:nodes                what npm test runs, on the other releases of Node
  npm run test:unit                 the unit tests alone, without services
  npm test -- test/store            one folder or file, without types, lint and format
  npm test -- test/store -t 'name'  the tests of this name; all arguments of jest work (npx jest --help)

The last line is always "N passed, M failed". CONTRIBUTING.md says which tests are in which folder.`;

const { ensureBuild } = require('./lib/build/build');
const { ensureWebBuild } = require('./lib/build/build-web');
const { ensureDependencies } = require('./lib/build/dependencies');
const { reportFailure } = require('./lib/failure');
const { fetchNode } = require('./lib/programs/fetch-node');
const { fetchPrograms } = require('./lib/programs/fetch-programs');
const { onInterrupt } = require('./lib/interrupts');
const { runJest } = require('./lib/test/jest-run');
const { NODE_RELEASES, majorOf } = require('./lib/programs/node-releases');
const { checkNodeVersion } = require('./lib/node-version');
const { createProgress } = require('./lib/progress');
const { endRunning } = require('./lib/run-command');
const { runStaticChecks } = require('./lib/build/static-checks');
const { LONG, POLLS, SEARCHES, SHORT } = require('./lib/test/test-projects');
const { closeRun, openRun, startThrowawayServers } = require('./lib/servers/throwaway-servers');

/**
 * Programs that a machine may lack, with the tests that need them.
 *
 * @type {{ programs: import('./lib/programs/programs').ProgramName[], paths: RegExp, what: string }[]}
 */
const OPTIONAL = [
  { programs: ['asterisk', 'sipp'], paths: /asterisk|cluster|smoke/, what: 'tests with a live Asterisk' },
  { programs: ['chromium'], paths: /browser|smoke/, what: 'tests in a browser' },
  { programs: ['galera'], paths: /galera|cluster/, what: 'tests with a Galera cluster' },
];

const progress = createProgress();
const args = process.argv.slice(2);
const [mode = ''] = args.filter((each) => ['--long', '--nodes', '--unit'].includes(each));
const jestArgs = args.filter((each) => each !== mode);

/** @type {() => void} */
let endJest = () => undefined;
let interrupted = false;

/** Last, because jest takes every word after this option as a project. */
function projectArguments() {
  if (mode === '--unit') return ['--selectProjects', 'unit'];
  if (mode === '--long') return ['--selectProjects', ...LONG, SEARCHES];
  return mode === '--nodes' || jestArgs.length === 0 ? ['--selectProjects', ...SHORT, POLLS] : [];
}

/** Whether tests of these paths may be among those that run. @param {RegExp} paths */
function mayRun(paths) {
  if (mode === '--unit') return false;
  const chosen = jestArgs.filter((each) => !each.startsWith('-'));
  return chosen.length === 0 || chosen.some((each) => paths.test(each));
}

/** @typedef {Record<string, import('./lib/programs/programs').Program>} Programs */

/** @param {typeof OPTIONAL[number]} wanted @returns {Promise<Programs>} */
async function getOptional({ programs, paths, what }) {
  const isLeftOut = programs.includes('galera') && process.env['FAULT_ROUNDS'] === undefined;
  if (isLeftOut || !mayRun(paths)) return {};
  return progress.step(`Getting ${programs.join(' and ')}`, (note) =>
    fetchPrograms(programs, note).catch((/** @type {Error} */ error) => {
      note(`${what} are skipped: ${error.message.split(': install')[0]}`);
      return {};
    }),
  );
}

/** @returns {Promise<Programs>} */
async function getPrograms() {
  const servers = progress.step('Getting Redis, MariaDB and HAProxy', (note) =>
    fetchPrograms(['redis', 'mariadb', 'haproxy'], note),
  );
  const found = await Promise.all([servers, ...OPTIONAL.map(getOptional)]);
  return Object.assign({}, ...found);
}

/** @returns {Promise<string[]>} the programs to run the tests with, one after the other */
async function getNodes() {
  if (mode !== '--nodes') return [process.execPath];
  const others = NODE_RELEASES.filter(({ version }) => majorOf(version) !== majorOf(process.versions.node));
  const names = others.map(({ version }) => version).join(', ');
  const nodes = await progress.step(`Getting Node ${names}`, () => Promise.all(others.map((each) => fetchNode(each))));
  return nodes.map(({ path }) => path);
}

/** @returns {Promise<boolean>} whether the sources are worth testing */
async function prepareSources() {
  await ensureDependencies(progress);
  const pages = mayRun(/browser|smoke|start|web-pages/) ? ensureWebBuild(progress) : undefined;
  if (args.length > 0) {
    await Promise.all([pages, ensureBuild(progress)]);
    return true;
  }
  const [failures] = await Promise.all([runStaticChecks(progress), pages]);
  for (const failure of failures) reportFailure(failure);
  return failures.length === 0;
}

/**
 * @param {readonly string[]} nodes
 * @param {string} directory
 * @param {Record<string, string>} env
 */
async function runOn(nodes, directory, env) {
  const total = { passed: 0, failed: 0 };
  for (const node of nodes) {
    if (interrupted) break;
    if (nodes.length > 1) progress.line(`\n${node}`);
    const counts = await runJest([...jestArgs, ...projectArguments()], {
      node,
      directory,
      env,
      onStart: (end) => {
        endJest = end;
        if (interrupted) end();
      },
    });
    total.passed += counts.passed;
    total.failed += counts.failed;
  }
  return total;
}

/**
 * @param {readonly string[]} nodes
 * @param {string} directory
 * @param {Programs} programs
 */
async function runWithServers(nodes, directory, programs) {
  const { redis, mariadb } = programs;
  if (redis === undefined || mariadb === undefined) throw new Error('Redis and MariaDB are always fetched');
  const services = await progress.step('Starting Redis and MariaDB', () =>
    startThrowawayServers(directory, { redis, mariadb }),
  );
  try {
    return await runOn(nodes, directory, {
      // For example an existing Redis Cluster: each test file uses its own namespace.
      TEST_REDIS_URL: process.env['INTEROP_REDIS_URL'] || services.redisUrl,
      // npm run interop -- mysql names another one.
      TEST_DATABASE_URL: process.env['INTEROP_MYSQL_URL'] || services.databaseUrl,
      TEST_SERVICES: JSON.stringify(programs),
    });
  } finally {
    await services.stop();
  }
}

async function testAll() {
  checkNodeVersion();
  const [programs, nodes, isSound] = await Promise.all([
    mode === '--unit' ? undefined : getPrograms(),
    getNodes(),
    prepareSources(),
  ]);
  if (!isSound || interrupted) return { passed: 0, failed: 1 };
  const directory = openRun();
  try {
    return await (programs ? runWithServers(nodes, directory, programs) : runOn(nodes, directory, {}));
  } finally {
    closeRun(directory);
  }
}

async function main() {
  onInterrupt({
    stop: () => {
      interrupted = true;
      endRunning('SIGTERM');
      endJest();
    },
    // The guards end the services and delete the directory.
    hurry: () => process.exit(130),
  });
  let counts = { passed: 0, failed: 1 };
  try {
    counts = await testAll();
  } catch (error) {
    process.exitCode = reportFailure(error);
    // Waits for steps that ran beside the failed one.
    endRunning('SIGTERM');
  }
  if (counts.failed > 0) process.exitCode ||= 1;
  if (interrupted) process.exitCode = 130;
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
}

if (args.includes('--help')) console.log(HELP);
else void main();

'use strict';

/** Runs jest as a child process, and returns its counts however it ends. */

const fs = require('node:fs');
const path = require('node:path');
const { spawnGuarded } = require('../guard');
const { root } = require('../paths');

/** @typedef {{ passed: number, failed: number }} Counts */

/** Variables of the user's shell that would lead tests to real servers or change their results. */
const FOREIGN =
  'REDIS_URL DATABASE_URL DATABASE_REPLICA_URL DATA_DIR PORT HOST NODES WORKERS RATE_LIMIT PBX_SIM_PORT PRODUCTS';

/** Lets shared modules import packages that are ES modules, which Node calls experimental. */
const QUIET = '--disable-warning=ExperimentalWarning';

/** @param {Record<string, string>} extra */
function testEnvironment(extra) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: 'test', ...extra };
  for (const name of FOREIGN.split(' ')) delete env[name];
  return env;
}

/**
 * @param {string} file that jest wrote its results to
 * @param {boolean} succeeded
 * @returns {Counts}
 */
function readCounts(file, succeeded) {
  const results = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  const { numPassedTests: passed = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = results;
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  // Jest can fail without a failed test: no tests found, a crash, a broken configuration.
  return { passed, failed: succeeded ? failed : Math.max(failed, 1) };
}

/**
 * @typedef {object} JestOptions
 * @property {string} node the program that runs it
 * @property {string} directory of this run
 * @property {Record<string, string>} env
 * @property {(end: () => void) => void} onStart is given what ends jest and its workers
 */

/**
 * @param {readonly string[]} args
 * @param {JestOptions} options
 * @returns {Promise<Counts>}
 */
function runJest(args, { node, directory, env, onStart }) {
  // npm run faults reads these results too.
  const results = process.env['TEST_RESULTS'] ?? path.join(directory, 'results.json');
  fs.rmSync(results, { force: true });
  return new Promise((resolve, reject) => {
    const jest = path.join(root, 'node_modules/jest/bin/jest.js');
    const child = spawnGuarded(node, [QUIET, jest, '--json', `--outputFile=${results}`, ...args], {
      cwd: root,
      env: testEnvironment({ ...env, TEST_RUN_DIR: directory }),
      // With --json, jest also writes its results to stdout.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    // It runs in its own group, because its workers would outlive it.
    onStart(() => {
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(readCounts(results, code === 0)));
  });
}

module.exports = { readCounts, runJest };

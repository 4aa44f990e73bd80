'use strict';

/** Runs jest as a child, and gives its counts whatever becomes of it. */

const fs = require('node:fs');
const path = require('node:path');
const { spawnGuarded } = require('./guard');
const { root } = require('./paths');

/** @typedef {import('./counts').Counts} Counts */

/** Variables of the person's shell that would lead tests to real servers or change what they see. */
const FOREIGN = [
  'REDIS_URL',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'DATA_DIR',
  'PORT',
  'HOST',
  'NODES',
  'WORKERS',
  'RATE_LIMIT',
  'PBX_SIM_PORT',
  'PRODUCTS',
];

const CHECK_MS = 500;
const STUCK_MS = 15_000;

/** @param {Record<string, string>} extra */
function testEnvironment(extra) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: 'test', ...extra };
  for (const name of FOREIGN) delete env[name];
  return env;
}

/**
 * @param {string} file
 * @param {boolean} succeeded
 * @returns {Counts}
 */
function readCounts(file, succeeded) {
  /** @type {Counts} */
  const counts = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { passed: 0, failed: 0 };
  // Jest can fail without a failed test: no tests found, a crash, a broken configuration.
  if (!succeeded && counts.failed === 0) counts.failed = 1;
  return counts;
}

/**
 * A test that leaves a timer or a connection open would keep jest, and whoever waits for it, for ever.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} counts written when the last test is over
 */
function endWhenStuck(child, counts) {
  let sinceMs = 0;
  const timer = setInterval(() => {
    if (fs.existsSync(counts)) sinceMs += CHECK_MS;
    if (sinceMs < STUCK_MS) return;
    console.error('Jest does not end: a test leaves something open (a timer, a connection, a server). Killed it.');
    child.kill('SIGKILL');
    clearInterval(timer);
  }, CHECK_MS);
  child.once('exit', () => clearInterval(timer));
}

/**
 * @typedef {object} JestOptions
 * @property {string} node the program that runs it
 * @property {string} directory of this run
 * @property {Record<string, string>} env
 * @property {(child: import('node:child_process').ChildProcess) => void} [onStart]
 */

/**
 * @param {readonly string[]} args
 * @param {JestOptions} options
 * @returns {Promise<Counts>}
 */
function runJest(args, { node, directory, env, onStart }) {
  const counts = path.join(directory, 'counts.json');
  // Of the run before: when it appears, this run is over.
  fs.rmSync(counts, { force: true });
  return new Promise((resolve, reject) => {
    const jest = path.join(root, 'node_modules/jest/bin/jest.js');
    const child = spawnGuarded(node, [jest, ...args], {
      detached: false,
      cwd: root,
      env: testEnvironment({ ...env, PARTYLINE_COUNTS: counts, TEST_RUN_DIR: directory }),
      stdio: 'inherit',
    });
    onStart?.(child);
    endWhenStuck(child, counts);
    child.once('error', reject);
    child.once('exit', (code) => resolve(readCounts(counts, code === 0)));
  });
}

module.exports = { runJest };

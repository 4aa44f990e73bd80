'use strict';

/**
 * A jest reporter that names what hangs. Jest says nothing of a test file before it is over, so a run that somebody else
 * ends after an hour would not say which test it waited for.
 *
 * A test that takes very long is named while it runs. When the time of the whole run is over (TESTS_END_AT, milliseconds
 * since 1970), every test that still runs is named, counted as failed, and jest is ended. It is ended, too, when all tests
 * are over and jest waits for its own workers: it would do so without end, and what counts is there.
 */

const fs = require('node:fs');
const path = require('node:path');
const { root } = require('./paths');
const { childrenOf, send } = require('./processes');

/** @typedef {{ path: string }} TestFile */
/** @typedef {{ title: string, since: number, saidAt: number }} Running */

/** Longer than any test takes, also on a machine that others use too. */
const LONG_MS = 600_000;
const CHECK_MS = 30_000;
/** Jest ends its workers within seconds. */
const ENDING_MS = 180_000;

const minutes = (/** @type {number} */ ms) => `${Math.floor(ms / 60_000)} min`;

class RunningTests {
  /** @type {Map<string, Running>} by file: jest runs the tests of a file one after the other */
  #running = new Map();

  /** @param {TestFile} file @param {string} title @param {number} now */
  begins({ path: file }, title, now) {
    this.#running.set(file, { title, since: now, saidAt: now });
  }

  /** @param {TestFile} file */
  ends({ path: file }) {
    this.#running.delete(file);
  }

  /** @param {number} now @returns {string[]} what has run for long, each again after as long a time */
  overdue(now) {
    const entries = [...this.#running].filter(([, { saidAt }]) => now - saidAt >= LONG_MS);
    for (const [, running] of entries) running.saidAt = now;
    return entries.map((entry) => describeRunning(entry, now));
  }

  /** @param {number} now */
  all(now) {
    return [...this.#running].map((entry) => describeRunning(entry, now));
  }
}

/** @param {[string, Running]} entry @param {number} now */
function describeRunning([file, { title, since }], now) {
  return `${path.relative(root, file)} › ${title} (${minutes(now - since)})`;
}

class OverdueReporter {
  #running = new RunningTests();
  #counts = { passed: 0, failed: 0 };
  #filesLeft = Number.POSITIVE_INFINITY;
  #lastResultAt = 0;
  #endAt = Number(process.env['TESTS_END_AT'] ?? Number.POSITIVE_INFINITY);
  /** @type {NodeJS.Timeout} */
  #timer;
  #endingMs;

  /** @param {unknown} [_config] @param {{ checkMs?: number, endingMs?: number }} [options] */
  constructor(_config, { checkMs = CHECK_MS, endingMs = ENDING_MS } = {}) {
    this.#endingMs = endingMs;
    this.#timer = setInterval(() => this.#check(Date.now()), checkMs).unref();
  }

  /** @param {{ numTotalTestSuites: number }} results */
  onRunStart({ numTotalTestSuites }) {
    this.#filesLeft = numTotalTestSuites;
  }

  /** @param {TestFile} file */
  onTestFileStart(file) {
    this.#running.begins(file, 'before its first test', Date.now());
  }

  /** @param {TestFile} file @param {{ fullName: string }} test */
  onTestCaseStart(file, { fullName }) {
    this.#running.begins(file, fullName, Date.now());
  }

  /** @param {TestFile} file @param {{ fullName: string }} test */
  onTestCaseResult(file, { fullName }) {
    this.#running.begins(file, `after ${fullName}`, Date.now());
  }

  /** @param {TestFile} file @param {{ numPassingTests: number, numFailingTests: number, testExecError?: object }} result */
  onTestFileResult(file, { numPassingTests, numFailingTests, testExecError }) {
    this.#running.ends(file);
    this.#counts.passed += numPassingTests;
    // A file that could not run at all counts as one failure.
    this.#counts.failed += numFailingTests + (testExecError ? 1 : 0);
    this.#filesLeft -= 1;
    this.#lastResultAt = Date.now();
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  /** @param {number} now */
  #check(now) {
    for (const text of this.#running.overdue(now)) console.error(`STILL RUNNING ${text}`);
    if (this.#filesLeft === 0 && now - this.#lastResultAt > this.#endingMs) {
      console.error('All tests are over, and jest still waits for its workers. Ended it.');
      this.#end(this.#counts);
    }
    if (now < this.#endAt) return;
    const hanging = this.#running.all(now);
    for (const text of hanging) console.error(`FAIL the time of the run is over: ${text}`);
    this.#end({ ...this.#counts, failed: this.#counts.failed + Math.max(hanging.length, 1) });
  }

  /** @param {import('./counts').Counts} counts @returns {never} */
  #end(counts) {
    const file = process.env['PARTYLINE_COUNTS'];
    if (file !== undefined) fs.writeFileSync(file, JSON.stringify(counts));
    for (const pid of childrenOf(process.pid)) send(pid, 'SIGKILL');
    process.exit(counts.failed === 0 ? 0 : 1);
  }
}

module.exports = Object.assign(OverdueReporter, { RunningTests, LONG_MS });

'use strict';

/** Counting tests: `npm test` ends with the line `N passed, M failed`. */

/** @typedef {{ passed: number, failed: number }} Counts */
/** @typedef {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number }} JestResults */

/**
 * A suite that could not run at all counts as one failure.
 *
 * @param {JestResults} results
 * @returns {Counts}
 */
function countTests(results) {
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
  };
}

/** @param {Counts} counts */
function countLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}

module.exports = { countTests, countLine };

'use strict';

/** The table `npm run faults` ends with, from the results jest writes as JSON. */

/**
 * @typedef {{ fullName: string, status: string, duration?: number | null }} TestResult
 * @typedef {{ testResults: { name: string, status: string, assertionResults: TestResult[] }[] }} JestReport
 */

/** @param {number | null | undefined} milliseconds */
const seconds = (milliseconds) => ((milliseconds ?? 0) / 1000).toFixed(1);

/**
 * @param {JestReport} report
 * @returns {string} one line per fault: result, seconds, name
 */
function faultTable(report) {
  const rows = report.testResults.flatMap((suite) => {
    // A suite that did not run at all has no tests to show.
    if (suite.assertionResults.length === 0) return [[suite.status, '', suite.name]];
    return suite.assertionResults.map((test) => [test.status, seconds(test.duration), test.fullName]);
  });
  const table = [['result', 'seconds', 'fault'], ...rows];
  return table
    .map(([result = '', time = '', name = '']) => `${result.padEnd(8)}${time.padStart(8)}  ${name}`)
    .join('\n');
}

module.exports = { faultTable };

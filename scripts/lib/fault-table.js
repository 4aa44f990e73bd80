'use strict';

/** The table at the end of `npm run faults`, from jest's JSON results. */

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
    // A suite that failed to run has no tests to show.
    if (suite.assertionResults.length === 0) return [[suite.status, '', suite.name]];
    return suite.assertionResults.map((test) => [test.status, seconds(test.duration), test.fullName]);
  });
  const table = [['result', 'seconds', 'fault'], ...rows];
  return table
    .map(([result = '', time = '', name = '']) => `${result.padEnd(8)}${time.padStart(8)}  ${name}`)
    .join('\n');
}

const COLUMNS = ['sent', 'acknowledged', 'received', 'lost', 'doubled', 'seconds'];

/**
 * @param {string} noted one JSON object a line
 * @returns {string} one line per fault and kind of work; empty where no test noted anything
 */
function figureTable(noted) {
  const rows = noted
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map((figures) => [...COLUMNS.map((column) => String(figures[column] ?? '')), `${figures.fault}: ${figures.kind}`]);
  if (rows.length === 0) return '';
  return [[...COLUMNS, 'fault: kind of work'], ...rows]
    .map((row) => row.map((text, index) => (index < COLUMNS.length ? text.padStart(14) : `  ${text}`)).join(''))
    .join('\n');
}

module.exports = { faultTable, figureTable };

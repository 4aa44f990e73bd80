'use strict';

/** The table at the end of `npm run faults`, from jest's JSON results. */

const { columns, linesOf } = require('./long-run');

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
  return columns([['result', 'seconds', 'fault'], ...rows]);
}

const COLUMNS = ['sent', 'acknowledged', 'received', 'lost', 'doubled', 'seconds'];

/**
 * @param {string} noted one JSON object a line
 * @returns {string} one line per fault and kind of work; empty where no test noted anything
 */
function figureTable(noted) {
  const rows = linesOf(noted).map((figures) => [
    ...COLUMNS.map((column) => String(figures[column] ?? '')),
    `${figures.fault}: ${figures.kind}`,
  ]);
  return rows.length === 0 ? '' : columns([[...COLUMNS, 'fault: kind of work'], ...rows]);
}

module.exports = { faultTable, figureTable };

'use strict';

/** The table at the end of `npm run attack`, from the figures that the tests append to their report. */

/**
 * @typedef {object} Figures
 * @property {string} abuse
 * @property {number} seconds
 * @property {Record<string, number>} counts
 * @property {number} healthzMaxMs
 * @property {number} requestP99Ms
 * @property {number} requests
 * @property {Record<string, number>} failures
 * @property {number} peakHeapMb
 * @property {number} peakRssMb
 */

const HEADINGS = ['abuse', 'seconds', '/healthz max', 'others p99', 'others failed', 'heap', 'rss', 'the attacker did'];

/** @param {Record<string, number>} counts */
const listed = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** @param {Figures} figures */
function rowOf(figures) {
  const failed = Object.values(figures.failures).reduce((sum, count) => sum + count, 0);
  return [
    figures.abuse,
    String(figures.seconds),
    `${figures.healthzMaxMs} ms`,
    `${figures.requestP99Ms} ms`,
    `${failed} of ${figures.requests}`,
    `${figures.peakHeapMb} MB`,
    `${figures.peakRssMb} MB`,
    listed(figures.counts),
  ];
}

/**
 * @param {string} report one JSON object a line
 * @returns {string}
 */
function attackTable(report) {
  const lines = report.split('\n').filter((line) => line !== '');
  const rows = [HEADINGS, ...lines.map((line) => rowOf(JSON.parse(line)))];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

module.exports = { attackTable };

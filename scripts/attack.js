'use strict';

/** npm run attack: the long version of the security tests against a private stack, with a table of figures at the end. */

const { columns, linesOf, main } = require('./lib/test/long-run');

const HEADINGS = ['abuse', 'seconds', '/healthz max', 'others p99', 'others failed', 'heap', 'rss', 'the attacker did'];

/** @param {Record<string, number>} counts */
const listed = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/**
 * @param {Record<'seconds' | 'healthzMaxMs' | 'requestP99Ms' | 'requests' | 'peakHeapMb' | 'peakRssMb', number> &
 *   { abuse: string, counts: Record<string, number>, failures: Record<string, number> }} figures of one test
 */
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

main({
  // Runs one test file after the other, so that the figures show one abuse at a time.
  args: ['--runInBand', '--selectProjects', 'access', 'security'],
  env: (report) => ({ ATTACK_SECONDS: '300', FUZZ_REQUESTS: '40000', ...process.env, ATTACK_REPORT: report }),
  table: (report) => columns([HEADINGS, ...linesOf(report).map(rowOf)]),
});

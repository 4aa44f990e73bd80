'use strict';

/** npm run attack: the long version of the security tests against a private stack, with a table of figures at the end. */

const { attackTable } = require('./lib/attack-table');
const { main } = require('./lib/long-run');

main({
  // Runs one test file after the other, so that the figures show one abuse at a time.
  args: ['--runInBand', '--selectProjects', 'access', 'security'],
  env: (report) => ({ ATTACK_SECONDS: '300', FUZZ_REQUESTS: '40000', ...process.env, ATTACK_REPORT: report }),
  table: attackTable,
});

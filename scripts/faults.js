'use strict';

/** npm run faults: the fault-injection tests (kills, freezes, partitions) with a table of them at the end. */

const { faultTable } = require('./lib/fault-table');
const { main } = require('./lib/long-run');

main({
  // The projects stand last: jest takes every word after that option for one.
  args: (report) => ['--json', `--outputFile=${report}`, '--selectProjects', 'cluster', 'start'],
  env: () => ({ FAULT_FREEZE_MS: '30000', FAULT_HERD: '2000', ...process.env }),
  table: (report) => faultTable(JSON.parse(report)),
});

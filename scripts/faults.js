'use strict';

/** npm run faults: the fault-injection tests (kills, freezes, partitions) with a table of them at the end. */

const fs = require('node:fs');
const { faultTable, figureTable } = require('./lib/test/fault-table');
const { main } = require('./lib/test/long-run');

/** Tests append here what was sent, acknowledged, received, lost and duplicated, one JSON object per line. */
let figures = '';

main({
  args: ['--selectProjects', 'cluster', 'start', 'vendors'],
  env: (report) => {
    figures = `${report}-figures`;
    const long = { FAULT_FREEZE_MS: '30000', FAULT_HERD: '2000', FAULT_ROUNDS: '5' };
    return { ...long, ...process.env, FAULT_FIGURES: figures, TEST_RESULTS: report };
  },
  table: (report) => {
    const noted = fs.existsSync(figures) ? fs.readFileSync(figures, 'utf8') : '';
    return [faultTable(JSON.parse(report)), figureTable(noted)].filter(Boolean).join('\n\n');
  },
});

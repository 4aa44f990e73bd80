'use strict';

/** npm run faults: the fault-injection tests (kills, freezes, partitions) with a table of them at the end. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { faultTable } = require('./lib/fault-table');

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'partyline-faults-'));
const report = path.join(directory, 'report.json');
const jestArgs = [
  '--json',
  `--outputFile=${report}`,
  '--selectProjects',
  'cluster',
  'start',
  '--',
  ...process.argv.slice(2),
];

// The same prologue, services and tidying up as npm test has.
const child = spawn(process.execPath, [path.join(__dirname, 'test.js'), '--quick', ...jestArgs], {
  stdio: ['inherit', 'inherit', 'inherit'],
});
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => {
  if (fs.existsSync(report)) console.log(`\n${faultTable(JSON.parse(fs.readFileSync(report, 'utf8')))}`);
  fs.rmSync(directory, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});

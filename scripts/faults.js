'use strict';

/** npm run faults: the fault-injection tests (kills, freezes, partitions) with a table of them at the end. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { ensureBuild } = require('./lib/build');
const { ensureDependencies } = require('./lib/dependencies');
const { tellFailure } = require('./lib/failure');
const { faultTable } = require('./lib/fault-table');
const { checkNodeVersion } = require('./lib/node-version');
const { createProgress } = require('./lib/progress');

/**
 * The same services and tidying up as npm test has.
 *
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
function runTests(args) {
  const child = spawn(process.execPath, [path.join(__dirname, 'test.js'), '--quick', ...args], {
    stdio: 'inherit',
    // Longer and larger than npm test has time for.
    env: { FAULT_FREEZE_MS: '30000', FAULT_HERD: '2000', ...process.env },
  });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function main() {
  const progress = createProgress();
  checkNodeVersion();
  await ensureDependencies(progress);
  await ensureBuild(progress);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'partyline-faults-'));
  const report = path.join(directory, 'report.json');
  // Last, because the option takes every word after it for a project.
  const projects = ['--selectProjects', 'cluster', 'start'];
  const code = await runTests([...process.argv.slice(2), '--json', `--outputFile=${report}`, ...projects]);
  if (fs.existsSync(report)) console.log(`\n${faultTable(JSON.parse(fs.readFileSync(report, 'utf8')))}`);
  fs.rmSync(directory, { recursive: true, force: true });
  return code;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.exitCode = tellFailure(error);
  },
);

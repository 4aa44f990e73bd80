'use strict';

/** npm run attack: the long version of the security tests against a private stack, with a table of figures at the end. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { attackTable } = require('./lib/attack-table');
const { ensureBuild } = require('./lib/build');
const { ensureDependencies } = require('./lib/dependencies');
const { tellFailure } = require('./lib/failure');
const { checkNodeVersion } = require('./lib/node-version');
const { createProgress } = require('./lib/progress');

/**
 * The same services and tidying up as npm test has; one test file after the other, so that figures are of one abuse.
 *
 * @param {readonly string[]} args
 * @param {string} report
 * @returns {Promise<number>} the exit code
 */
function runTests(args, report) {
  // Projects last, because the option takes every word after it for a project.
  const all = [path.join(__dirname, 'test.js'), '--quick', ...args, '--runInBand', '--selectProjects', 'security'];
  const child = spawn(process.execPath, all, {
    stdio: 'inherit',
    env: { ATTACK_SECONDS: '300', FUZZ_REQUESTS: '40000', ...process.env, ATTACK_REPORT: report },
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
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'partyline-attack-'));
  const report = path.join(directory, 'figures.jsonl');
  const code = await runTests(process.argv.slice(2), report);
  if (fs.existsSync(report)) console.log(`\n${attackTable(fs.readFileSync(report, 'utf8'))}`);
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

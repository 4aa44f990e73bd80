'use strict';

/** Runs jest projects longer and larger than npm test has time for, on the same services, and tells what came of it. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { ensureBuild } = require('./build');
const { ensureDependencies } = require('./dependencies');
const { reportFailure } = require('./failure');
const { checkNodeVersion } = require('./node-version');
const { createProgress } = require('./progress');

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the exit code
 */
function runTests(args, env) {
  const test = path.join(__dirname, '../test.js');
  const child = spawn(process.execPath, [test, '--quick', ...args], { stdio: 'inherit', env });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * @typedef {object} LongRun
 * @property {(report: string) => readonly string[]} args jest's, given the file in which a report is wanted
 * @property {(report: string) => NodeJS.ProcessEnv} env
 * @property {(report: string) => string} table of the report's text
 */

/** @param {LongRun} run */
async function runLong({ args, env, table }) {
  const progress = createProgress();
  checkNodeVersion();
  await ensureDependencies(progress);
  await ensureBuild(progress);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'partyline-report-'));
  const report = path.join(directory, 'report');
  const code = await runTests([...process.argv.slice(2), ...args(report)], env(report));
  if (fs.existsSync(report)) console.log(`\n${table(fs.readFileSync(report, 'utf8'))}`);
  fs.rmSync(directory, { recursive: true, force: true });
  return code;
}

/** @param {LongRun} run */
function main(run) {
  runLong(run).then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      process.exitCode = reportFailure(error);
    },
  );
}

module.exports = { main };

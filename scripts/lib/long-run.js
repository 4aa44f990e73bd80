'use strict';

/** Runs jest projects longer and larger than npm test has time for, and prints a table of the results. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { reportFailure } = require('./failure');
const { checkNodeVersion } = require('./node-version');

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the exit code
 */
function runTests(args, env) {
  const test = path.join(__dirname, '../test.js');
  const child = spawn(process.execPath, [test, ...args], { stdio: 'inherit', env });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * @typedef {object} LongRun
 * @property {readonly string[]} args jest's; the projects stand last: jest takes every word after that option for one
 * @property {(report: string) => NodeJS.ProcessEnv} env given the file in which a report is wanted
 * @property {(report: string) => string} table of the report's text
 */

/** @param {LongRun} run */
async function runLong({ args, env, table }) {
  checkNodeVersion();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'partyline-report-'));
  const report = path.join(directory, 'report');
  const code = await runTests([...process.argv.slice(2), ...args], env(report));
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

'use strict';

/**
 * npm run interop -- mysql --url mysql://user@db.example [test/store/packets.test.ts …]
 *
 * Runs the tests of stores and the API on a MySQL or MariaDB that somebody has: see lib/interop-mysql.js.
 *
 * npm run interop -- freepbx --url https://pbx.example.com --client <id> [--from 790000]
 *
 * Runs the interoperability cases of npm test (test/unit/interop) against a FreePBX that somebody has. The client's secret
 * comes from INTEROP_FREEPBX_SECRET or standard input, never from the command line. The cases use the hundred numbers from
 * --from on, of which none may be there, delete what they make, and reload the FreePBX.
 */

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { Failure, reportFailure } = require('./lib/failure');
const { mysqlArguments, withPassword } = require('./lib/interop-mysql');

const USAGE = [
  'npm run interop -- freepbx --url https://pbx.example.com --client <client id> [--from <number>]',
  'npm run interop -- mysql --url mysql://user@db.example [test files]',
].join(', or ');

/** @typedef {{ env: Record<string, string>, args: readonly string[] }} Run what npm test is given */

/** @type {{ type: 'string' }} */
const TEXT = { type: 'string' };

/** @param {readonly string[]} args @returns {Run} */
function planFreepbx(args) {
  const options = { url: TEXT, client: TEXT, from: { ...TEXT, default: '790000' } };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { url, client, from } = values;
  if (positionals.length > 0 || url === undefined || client === undefined || !URL.canParse(url)) {
    throw new Failure(`Say which FreePBX: ${USAGE}`);
  }
  if (!/^[1-9]\d{2,12}$/.test(from)) throw new Failure(`--from is the first of a hundred free numbers: ${USAGE}`);
  return {
    env: {
      INTEROP_FREEPBX_URL: url,
      INTEROP_FREEPBX_CLIENT: client,
      INTEROP_FREEPBX_SECRET: readSecret('secret of the client', 'INTEROP_FREEPBX_SECRET'),
      INTEROP_FREEPBX_FROM: from,
    },
    // Runs one file after the other: of two concurrent reloads, one fails.
    args: ['--unit', '--runInBand', '--verbose', 'test/unit/interop/freepbx'],
  };
}

/** @param {readonly string[]} args @returns {Run} */
function planMysql(args) {
  const { values, positionals } = parseArgs({ args: [...args], options: { url: TEXT }, allowPositionals: true });
  const { url = '' } = values;
  if (!/^(mysql|mariadb):\/\//.test(url) || !URL.canParse(url)) throw new Failure(`Say which MySQL: ${USAGE}`);
  if (new URL(url).password !== '')
    throw new Failure('A command line is no place for a password: leave it out of --url.');
  const password = readSecret('password of the account', 'INTEROP_MYSQL_PASSWORD');
  return { env: { INTEROP_MYSQL_URL: withPassword(url, password) }, args: mysqlArguments(positionals) };
}

/** @param {string} what @param {string} variable */
function readSecret(what, variable) {
  const given = process.env[variable] || (process.stdin.isTTY ? '' : fs.readFileSync(0, 'utf8').trim());
  if (given === '') throw new Failure(`Give the ${what} by standard input or in ${variable}.`);
  return given;
}

/** @returns {Promise<number>} the exit code */
function main() {
  const [product, ...args] = process.argv.slice(2);
  const plan = { freepbx: planFreepbx, mysql: planMysql }[product ?? ''];
  if (plan === undefined) throw new Failure(`Say what to run against: ${USAGE}`);
  const run = plan(args);
  const child = spawn(process.execPath, [path.join(__dirname, 'test.js'), ...run.args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...run.env },
  });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

Promise.resolve()
  .then(main)
  .then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      process.exitCode = reportFailure(error);
    },
  );

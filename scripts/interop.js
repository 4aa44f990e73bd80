'use strict';

/**
 * npm run interop -- mysql --url mysql://user@db.example [test/store/packets.test.ts …]
 *
 * Runs the tests of stores and of the API on a MySQL or MariaDB that somebody has. Redis is still a private one. The
 * account needs all privileges: each test file creates a database `partyline_test_…` and drops it again.
 *
 * npm run interop -- freepbx --url https://pbx.example.com --client <id> [--from 790000]
 *
 * Runs the interoperability cases of npm test (test/unit/interop) against a FreePBX that somebody has. The client's secret
 * comes from INTEROP_FREEPBX_SECRET or standard input, never from the command line. The cases use the hundred numbers from
 * --from on, of which none may be there, delete what they make, and reload the FreePBX.
 */

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { Failure } = require('./lib/failure');
const { exitWith, inForeground } = require('./lib/foreground');

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

/** These check query plans and counters of the MariaDB that npm test uses; another server plans differently. */
const OF_MARIADB = ['extension-lists', 'texting-plans', 'chat-reading-plans'];

/** @param {readonly string[]} args @returns {Run} */
function planMysql(args) {
  const { values, positionals } = parseArgs({ args: [...args], options: { url: TEXT }, allowPositionals: true });
  const { url = '' } = values;
  if (!/^(mysql|mariadb):\/\//.test(url) || !URL.canParse(url)) throw new Failure(`Say which MySQL: ${USAGE}`);
  const account = new URL(url);
  if (account.password !== '') throw new Failure('A command line is no place for a password: leave it out of --url.');
  account.password = readSecret('password of the account', 'INTEROP_MYSQL_PASSWORD');
  const paths = positionals.length > 0 ? positionals : ['test/store', 'test/api'];
  const ignored = OF_MARIADB.map((name) => `/test/store/${name}\\.test\\.ts$`).join('|');
  return { env: { INTEROP_MYSQL_URL: account.href }, args: [...paths, `--testPathIgnorePatterns=${ignored}`] };
}

/** @param {string} what @param {string} variable */
function readSecret(what, variable) {
  const given = process.env[variable] || (process.stdin.isTTY ? '' : fs.readFileSync(0, 'utf8').trim());
  if (given === '') throw new Failure(`Give the ${what} by standard input or in ${variable}.`);
  return given;
}

exitWith(async () => {
  const [product, ...args] = process.argv.slice(2);
  const plan = { freepbx: planFreepbx, mysql: planMysql }[product ?? ''];
  if (plan === undefined) throw new Failure(`Say what to run against: ${USAGE}`);
  const run = plan(args);
  return inForeground([path.join(__dirname, 'test.js'), ...run.args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...run.env },
  });
});

'use strict';

/**
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
const { Failure, tellFailure } = require('./lib/failure');

const USAGE = 'npm run interop -- freepbx --url https://pbx.example.com --client <client id> [--from <number>]';

/** @param {readonly string[]} args */
function readArguments(args) {
  /** @type {{ type: 'string' }} */
  const text = { type: 'string' };
  const options = { url: text, client: text, from: { ...text, default: '790000' } };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { url, client, from } = values;
  if (positionals.join(' ') !== 'freepbx' || url === undefined || client === undefined || !URL.canParse(url)) {
    throw new Failure(`Say which FreePBX: ${USAGE}`);
  }
  if (!/^[1-9]\d{2,12}$/.test(from)) throw new Failure(`--from is the first of a hundred free numbers: ${USAGE}`);
  return { url, client, from };
}

function readSecret() {
  const given = process.env['INTEROP_FREEPBX_SECRET'] || (process.stdin.isTTY ? '' : fs.readFileSync(0, 'utf8').trim());
  if (given === '') throw new Failure('Give the secret of the client by standard input or in INTEROP_FREEPBX_SECRET.');
  return given;
}

/** @returns {Promise<number>} the exit code */
function main() {
  const { url, client, from } = readArguments(process.argv.slice(2));
  const env = {
    ...process.env,
    INTEROP_FREEPBX_URL: url,
    INTEROP_FREEPBX_CLIENT: client,
    INTEROP_FREEPBX_SECRET: readSecret(),
    INTEROP_FREEPBX_FROM: from,
  };
  const test = path.join(__dirname, 'test.js');
  // One file after the other: of two reloads at the same time, one fails.
  const args = [test, '--quick', '--unit', '--runInBand', '--verbose', 'test/unit/interop/freepbx'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
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
      process.exitCode = tellFailure(error);
    },
  );

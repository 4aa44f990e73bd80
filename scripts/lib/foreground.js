'use strict';

/** For scripts that end with the exit code of one program, which they run in the foreground. */

const { spawn } = require('node:child_process');
const { reportFailure } = require('./failure');

/**
 * @param {readonly string[]} args of Node
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>} the exit code
 */
function inForeground(args, options) {
  const child = spawn(process.execPath, args, { stdio: 'inherit', ...options });
  // A terminal signals the child directly. A signal sent only to this process is passed on.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** @param {() => Promise<number | void>} main gives the exit code; none: 0 */
function exitWith(main) {
  main().then(
    (code) => {
      process.exitCode = code ?? 0;
    },
    (error) => {
      process.exitCode = reportFailure(error);
    },
  );
}

module.exports = { exitWith, inForeground };

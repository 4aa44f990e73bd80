'use strict';

/** Runs a program to its end and returns its output. The program ends if we are interrupted. */

const { spawnGuarded } = require('./guard');

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string, all: string }} Outcome */

/** Programs that are running now: an interrupted set-up must not leave npm or apt running. */
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { input?: string }} [options]
 * @returns {Promise<Outcome>} also when it fails; only a program that cannot be started at all gives code 127
 */
function runCommand(command, args, options = {}) {
  const { input, ...spawnOptions } = options;
  return new Promise((resolve) => {
    const child = spawnGuarded(command, args, {
      // In our process group, because Ctrl-C in the terminal is meant for it too.
      detached: false,
      ...spawnOptions,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    const out = { stdout: '', stderr: '', all: '' };
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      out.stdout += text;
      out.all += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      out.stderr += text;
      out.all += text;
    });
    child.once('error', (error) => {
      running.delete(child);
      resolve({ ...out, code: 127, signal: null, all: `${out.all}${error.message}\n` });
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ ...out, code, signal });
    });
    // A program that ends before it has read its input breaks the pipe; its exit code says what happened.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** @param {NodeJS.Signals} signal */
function endRunning(signal) {
  for (const child of running) child.kill(signal);
}

module.exports = { runCommand, endRunning };

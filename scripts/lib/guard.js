'use strict';

/**
 * Children that do not outlive us, not even when we are killed with -9.
 *
 * On Linux the kernel does it: setpriv (util-linux) asks for a signal at the death of the parent and then becomes the
 * program, so the pid is the program's own. Elsewhere a small watcher process holds the far end of a pipe; when the
 * pipe closes, we are gone, and it ends the children. PARTYLINE_GUARD=watcher chooses the second way by hand.
 */

const { spawn, spawnSync } = require('node:child_process');
const path = require('node:path');
const { birthOf } = require('./processes');

/**
 * @typedef {{ deathSignal?: 'TERM' | 'KILL', pidFile?: string }} GuardOptions
 * @typedef {{ pid: number, birth: string, signal: 'TERM' | 'KILL', pidFile: string }} Watch
 */

/**
 * The path of setpriv; empty if there is none, undefined until it has been looked up.
 *
 * @type {string | undefined}
 */
let setpriv;
/** @type {import('node:child_process').ChildProcess | undefined} */
let watcher;
/** @type {Map<number, Watch>} */
const watches = new Map();
/** @type {Set<string>} */
const directories = new Set();

/** The full path, because a child may get another PATH than ours. */
function findSetpriv() {
  const directories = [...(process.env['PATH'] ?? '').split(':'), '/usr/bin', '/bin'];
  const files = directories.filter((each) => path.isAbsolute(each)).map((each) => path.join(each, 'setpriv'));
  // Other programs of this name (busybox has one) may not know the option.
  return files.find((file) => spawnSync(file, ['--pdeathsig', 'KILL', '--', 'true']).status === 0) ?? '';
}

/** @returns {'setpriv' | 'watcher'} */
function guardMode() {
  if (process.env['PARTYLINE_GUARD'] === 'watcher') return 'watcher';
  setpriv ??= findSetpriv();
  return setpriv === '' ? 'watcher' : 'setpriv';
}

/** @param {object} message */
function tell(message) {
  const child = (watcher ??= startWatcher());
  child.stdin?.write(`${JSON.stringify(message)}\n`);
}

function startWatcher() {
  const child = spawn(process.execPath, [path.join(__dirname, 'guard-watcher.js')], {
    // A group of its own, so that Ctrl-C in the terminal does not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A new watcher replaces one that was killed, so that the children stay guarded.
  child.once('exit', () => {
    watcher = undefined;
    for (const watch of watches.values()) tell({ watch });
    for (const directory of directories) tell({ directory });
  });
  child.once('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  // It must not keep this process alive.
  child.unref();
  if (child.stdin !== null && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}

/**
 * A guarded spawn(). The child gets its own session, so that Ctrl-C reaches only us and we choose the order of ending.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & GuardOptions} [options]
 */
function spawnGuarded(command, args, options = {}) {
  const { deathSignal = 'KILL', pidFile = '', ...spawnOptions } = options;
  const settings = { detached: true, env: process.env, ...spawnOptions };
  if (guardMode() === 'setpriv' && setpriv !== undefined) {
    return spawn(setpriv, ['--pdeathsig', deathSignal, '--', command, ...args], settings);
  }
  const child = spawn(command, args, settings);
  const { pid } = child;
  if (pid !== undefined) {
    const watch = { pid, birth: birthOf(pid), signal: deathSignal, pidFile };
    watches.set(pid, watch);
    tell({ watch });
    child.once('exit', () => {
      watches.delete(pid);
      tell({ forget: pid });
    });
  }
  return child;
}

/**
 * A directory of this run only: it is deleted even if we end without deleting it.
 *
 * @param {string} directory
 */
function removeAtDeath(directory) {
  directories.add(directory);
  tell({ directory });
}

module.exports = { spawnGuarded, removeAtDeath };

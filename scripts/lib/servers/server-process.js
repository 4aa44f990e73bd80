'use strict';

/** One server process, started and stopped by its caller: for tests, benchmarks and set-up. */

const fs = require('node:fs');
const { spawnGuarded } = require('../guard');
const { lastLines, openLog } = require('../start/log-files');
const { IN_USE } = require('../ports');
const { until } = require('../waiting');

/**
 * @typedef {{
 *   command: string,
 *   args: string[],
 *   env: Record<string, string>,
 *   cwd?: string,
 *   isReady: () => Promise<boolean>,
 * }} ServerCommand
 */

const READY_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 20_000;

/**
 * @param {string} name
 * @param {ServerCommand} server
 * @param {string} directory for what it prints, in a file of its name
 */
async function startServer(name, server, directory) {
  const log = openLog(directory, name);
  const child = spawnGuarded(server.command, server.args, {
    // The data are deleted afterwards, so there is nothing to flush first.
    deathSignal: 'KILL',
    cwd: server.cwd,
    env: { ...process.env, ...server.env },
    stdio: ['ignore', log.descriptor, log.descriptor],
  });
  fs.closeSync(log.descriptor);
  // A test that forgets it must not keep jest alive; the guard ends it with us.
  child.unref();
  const ended = new AbortController();
  /** @type {Promise<void>} */
  const exit = new Promise((resolve) => {
    const end = () => {
      ended.abort();
      resolve();
    };
    child.once('exit', end);
    child.once('error', end);
  });
  // Some servers keep running without their port; another server could then answer in their place.
  const isInUse = () => IN_USE.test(log.since());
  const isDecided = async () => isInUse() || server.isReady();
  const isUp = await until(isDecided, { timeoutMs: READY_WITHIN_MS, signal: ended.signal });
  if (!isUp || isInUse()) {
    child.ref();
    child.kill('SIGKILL');
    await exit;
    throw new Error(`${name} did not come up:\n${lastLines(log.file, 20)}`);
  }
  return {
    pid: child.pid ?? 0,
    process: child,
    /** Resolves when the process has ended in any way. */
    exit,
    /** Stops it gracefully. */
    stop: async () => {
      child.ref();
      if (!ended.signal.aborted) child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await exit;
      clearTimeout(insist);
    },
    /** Kills it, as a power cut would. */
    kill: async () => {
      child.ref();
      if (!ended.signal.aborted) child.kill('SIGKILL');
      await exit;
    },
  };
}

module.exports = { startServer };

'use strict';

/**
 * The other end of the pipe (see guard.js). It reads which children and directories exist, one JSON message per line.
 * When the pipe closes, the process that started it is gone: it then ends the children and deletes the directories.
 */

const fs = require('node:fs');
const readline = require('node:readline');
const { birthOf, endProcess, isAlive, send } = require('./processes');
const { until } = require('./waiting');

const DATABASE_GRACE_MS = 10_000;

/** @type {Map<number, import('./guard').Watch>} */
const watches = new Map();
/** @type {Set<string>} */
const directories = new Set();

/** @param {{ watch?: import('./guard').Watch, forget?: number, directory?: string }} message */
function take(message) {
  if (message.watch !== undefined) watches.set(message.watch.pid, message.watch);
  if (message.forget !== undefined) watches.delete(message.forget);
  if (message.directory !== undefined) directories.add(message.directory);
}

/** @param {import('./guard').Watch} watch */
async function end(watch) {
  // The pid may belong to another program by now, which must not be ended.
  if (isAlive(watch.pid) && birthOf(watch.pid) === watch.birth) {
    if (watch.signal === 'TERM') await endProcess(watch.pid, DATABASE_GRACE_MS);
    else send(watch.pid, 'SIGKILL');
  }
  if (watch.pidFile !== '') fs.rmSync(watch.pidFile, { force: true });
}

/**
 * A server that is still ending may still be writing there.
 *
 * @param {string} directory
 */
async function remove(directory) {
  await until(
    () => {
      fs.rmSync(directory, { recursive: true, force: true });
      return !fs.existsSync(directory);
    },
    { timeoutMs: DATABASE_GRACE_MS, everyMs: 200 },
  );
}

async function main() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => undefined);
  for await (const line of readline.createInterface({ input: process.stdin })) take(JSON.parse(line));
  await Promise.all([...watches.values()].map(end));
  for (const directory of directories) await remove(directory);
}

void main();

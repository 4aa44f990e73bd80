'use strict';

/** Other processes: whether one is alive or ours, and how to end it and wait. */

const fs = require('node:fs');
const { until } = require('./waiting');

/** @param {number} pid */
function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // A dead process whose parent has not collected its status still accepts signals.
  return statusOf(pid)[0] !== 'Z';
}

/**
 * The fields of /proc/<pid>/stat after the name: state, parent, …
 *
 * @param {number} pid
 * @returns {string[]} empty where the system does not tell
 */
function statusOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets and may contain anything, even brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** @param {number} pid */
function parentOf(pid) {
  return statusOf(pid)[1] ?? '';
}

/**
 * When the process started, in the system's own unit. Pids are reused, but pid and start time identify a process.
 *
 * @param {number} pid
 */
function birthOf(pid) {
  return statusOf(pid)[19] ?? '';
}

/**
 * The variables the process was started with.
 *
 * @param {number} pid
 * @returns {string[]} empty where the system does not tell
 */
function environmentOf(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}

/**
 * Sends SIGTERM, then SIGKILL.
 *
 * @param {number} pid
 * @param {number} graceMs
 */
async function endProcess(pid, graceMs) {
  send(pid, 'SIGTERM');
  if (await until(() => !isAlive(pid), { timeoutMs: graceMs })) return;
  send(pid, 'SIGKILL');
  await until(() => !isAlive(pid), { timeoutMs: 5000 });
}

module.exports = { isAlive, birthOf, parentOf, environmentOf, send, endProcess };

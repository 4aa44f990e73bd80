'use strict';

/** Other processes: is it alive, is it ours, end it and wait. */

const fs = require('node:fs');
const { until } = require('./waiting');

/** @param {number} pid */
function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It is there, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
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
    // The name is in brackets and may hold anything, brackets too.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/**
 * A dead process whose parent has not taken notice still answers to signals.
 *
 * @param {number} pid
 */
function isZombie(pid) {
  return statusOf(pid)[0] === 'Z';
}

/** @param {number} pid */
function parentOf(pid) {
  return statusOf(pid)[1] ?? '';
}

/** @param {number} pid @returns {number[]} none where the system does not tell */
function childrenOf(pid) {
  const pids = fs.existsSync('/proc/self/stat') ? fs.readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  return pids.filter((each) => parentOf(each) === String(pid));
}

/**
 * When the process began, in the system's own count: with the pid it names a process for good, because pids are used
 * again.
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
    // It has ended already.
  }
}

/**
 * Asks with SIGTERM, insists with SIGKILL.
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

module.exports = { isAlive, birthOf, childrenOf, parentOf, environmentOf, send, endProcess };

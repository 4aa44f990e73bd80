'use strict';

/**
 * Locks between processes. A lock is a listening socket, which the system closes when its process dies, so a stale lock
 * can never block another process.
 */

const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { createHash } = require('node:crypto');
const { sleep } = require('./waiting');

const RETRY_MS = 200;

/** @param {string} key */
function lockAddress(key) {
  const name = `partyline-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
  // Linux has socket names outside the file system; elsewhere it is a file, with a short path in the temporary folder.
  return process.platform === 'linux' ? `\0${name}` : path.join(os.tmpdir(), `${name}.sock`);
}

/** @param {string} address @returns {Promise<import('node:net').Server | undefined>} undefined: somebody holds it */
function listen(address) {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** @param {string} address @returns {Promise<boolean>} */
function answers(address) {
  return new Promise((resolve) => {
    const socket = net.connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * @param {string} key
 * @returns {Promise<(() => void) | undefined>} lets go of it; undefined: another process holds it
 */
async function tryLock(key) {
  const address = lockAddress(key);
  let server = await listen(address);
  if (server === undefined && !address.startsWith('\0') && !(await answers(address))) {
    // The file was left by a dead process.
    fs.rmSync(address, { force: true });
    server = await listen(address);
  }
  return server === undefined ? undefined : () => void server.close();
}

/**
 * Runs the work while no other process runs work under the same key; waits for its turn.
 *
 * @template T
 * @param {string} key
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function exclusively(key, work) {
  /** @type {(() => void) | undefined} */
  let release;
  while ((release = await tryLock(key)) === undefined) await sleep(RETRY_MS);
  try {
    return await work();
  } finally {
    release();
  }
}

module.exports = { tryLock, exclusively };

'use strict';

/**
 * One supervisor for one data directory. The lock is a listening socket, which the system takes away from a dead
 * process by itself, so nothing stale can ever block a start; the pid file beside it is only for people and for the
 * message.
 */

const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { createHash } = require('node:crypto');
const { Failure } = require('./failure');

/** @param {string} directory */
function lockAddress(directory) {
  const name = `partyline-${createHash('sha256').update(fs.realpathSync(directory)).digest('hex').slice(0, 32)}`;
  // Linux has socket names outside the file system; elsewhere it is a file, short because it is in the temporary folder.
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

/** @param {string} directory */
async function acquire(directory) {
  const address = lockAddress(directory);
  const server = await listen(address);
  if (server !== undefined || address.startsWith('\0') || (await answers(address))) return server;
  // The file of a dead one.
  fs.rmSync(address, { force: true });
  return listen(address);
}

/** @param {string} file */
function pidIn(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8').trim());
  } catch {
    return 0;
  }
}

/**
 * @param {string} dataDir
 * @param {string} runDir
 * @returns {Promise<() => void>} lets go of it
 */
async function lockDataDirectory(dataDir, runDir) {
  const pidFile = path.join(runDir, 'supervisor.pid');
  const server = await acquire(dataDir);
  if (server === undefined) {
    throw new Failure(
      `Partyline is already running on ${dataDir} (pid ${pidIn(pidFile) || 'unknown'}): stop that one first, ` +
        'or set DATA_DIR, PORT and PBX_SIM_PORT to run another beside it.',
    );
  }
  fs.writeFileSync(pidFile, `${process.pid}\n`);
  return () => {
    fs.rmSync(pidFile, { force: true });
    server.close();
  };
}

module.exports = { lockDataDirectory, pidIn };

'use strict';

/** TCP ports: is this one free, give me a free one, does somebody answer there. */

const net = require('node:net');

const LOOPBACK = '127.0.0.1';

/**
 * @param {number} port 0 asks the system for any
 * @param {string} host
 * @returns {Promise<number>} the port, free a moment ago
 */
function claim(port, host) {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const got = address !== null && typeof address === 'object' ? address.port : port;
      server.close(() => resolve(got));
    });
  });
}

/**
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<boolean>} false only when another program holds it; a host this machine does not have throws
 */
async function isPortFree(port, host = LOOPBACK) {
  try {
    await claim(port, host);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
}

/** @param {string} [host] */
async function freePort(host = LOOPBACK) {
  return claim(0, host);
}

/**
 * The port of last time when it is still free, so that a restart keeps its addresses; else a new one.
 *
 * @param {number | undefined} preferred
 */
async function reusePort(preferred) {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  return freePort();
}

/**
 * Opens a connection, optionally says something, and gives what comes back.
 *
 * @param {number} port
 * @param {{ say?: string, lines?: number, timeoutMs?: number }} [options] lines: wait for so many; else for anything
 * @returns {Promise<Buffer>}
 */
function converse(port, { say, lines = 0, timeoutMs = 1000 } = {}) {
  return new Promise((resolve, reject) => {
    let heard = Buffer.alloc(0);
    const socket = net.connect({ port, host: LOOPBACK });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`No answer on port ${port}`)));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`Port ${port} closed the connection`)));
    socket.on('data', (bytes) => {
      heard = Buffer.concat([heard, bytes]);
      if (heard.toString('latin1').split('\r\n').length <= lines) return;
      resolve(heard);
      socket.destroy();
    });
    if (say !== undefined) socket.write(say);
  });
}

module.exports = { isPortFree, freePort, reusePort, converse };

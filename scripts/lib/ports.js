'use strict';

/** Ports: whether one is free, starting a server on an unused one, whether a server answers there. */

const fs = require('node:fs');
const net = require('node:net');
const { randomInt } = require('node:crypto');
const { tryLock } = require('./socket-lock');

const LOOPBACK = '127.0.0.1';
const FIRST = 10_000;
const RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
/** From here on the system assigns ports to outgoing connections, so a restarting server could lose its port. */
const END = fs.existsSync(RANGE) ? Number.parseInt(fs.readFileSync(RANGE, 'utf8'), 10) : 32_768;
const TRIES = 5;
/** The messages by which servers, ours and others', report a port in use. */
const IN_USE = /EADDRINUSE|address (is )?already in use/i;

/**
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<boolean>} false only when another program holds it; a host this machine does not have throws
 */
function isPortFree(port, host = LOOPBACK) {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error) => (/EADDRINUSE|EACCES/.test(error.message) ? resolve(false) : reject(error)));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Until this process ends, no other of ours takes them; a program of somebody else could.
 *
 * @param {number} [count] so many in a row
 * @returns {Promise<number>} the first
 */
async function reservePorts(count = 1) {
  for (;;) {
    const first = randomInt(FIRST, Math.max(END, 2 * FIRST) - count);
    const row = Array.from({ length: count }, async (_, place) => {
      const isOurs = (await tryLock(`port ${first + place}`)) !== undefined;
      return isOurs && isPortFree(first + place);
    });
    if ((await Promise.all(row)).every(Boolean)) return first;
  }
}

/**
 * Starts a server on unused ports. If one turns out to be in use, tries again on others.
 *
 * @template Value
 * @param {(next: () => Promise<number>) => Promise<Value>} start throws with what the server said
 * @returns {Promise<Value>}
 */
async function onFreePorts(start) {
  for (let tries = 1; ; tries += 1) {
    let hasChosen = false;
    const next = () => {
      hasChosen = true;
      return reservePorts();
    };
    try {
      return await start(next);
    } catch (error) {
      if (!hasChosen || tries === TRIES || !IN_USE.test(String(error))) throw error;
    }
  }
}

/**
 * Opens a connection, optionally sends something, and returns the response.
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

module.exports = { IN_USE, isPortFree, reservePorts, onFreePorts, converse };

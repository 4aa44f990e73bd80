'use strict';

/**
 * Is what runs in this container alive? One role runs in a container, each on a port of its own: whichever answers is
 * the one. Exit code 0 says yes.
 */

const http = require('node:http');

const PATIENCE_MS = 3000;

const ports = [
  process.env['PORT'] || '9991',
  process.env['WORKER_PORT'] || '9990',
  process.env['PBX_SIM_PORT'] || '9981',
];

/**
 * @param {string} port
 * @returns {Promise<boolean>}
 */
function isAlive(port) {
  return new Promise((resolve) => {
    const url = `http://127.0.0.1:${port}/healthz`;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    http.get(url, { signal }, (response) => resolve(response.statusCode === 200)).on('error', () => resolve(false));
  });
}

void Promise.all(ports.map(isAlive)).then((alive) => process.exit(alive.includes(true) ? 0 : 1));

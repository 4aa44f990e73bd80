'use strict';

/** Whether a process is ready, checked the way a user would. */

const http = require('node:http');

const ALIVE_IS_READY_MS = 10_000;

/**
 * @param {string} url
 * @returns {Promise<boolean>} whether it answers 200
 */
function answersOk(url) {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}

/**
 * A worker reports readiness in its log. One that lives for a while without that line counts as ready.
 *
 * @param {import('./supervise').Life} life
 */
async function saysWorkerReady(life) {
  return life.output().includes('worker ready') || performance.now() - life.bornMs > ALIVE_IS_READY_MS;
}

module.exports = { answersOk, saysWorkerReady };

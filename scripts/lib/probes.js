'use strict';

/** Is it up? Asked the way a user would ask. */

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
 * A worker listens nowhere: it says so in its log. One that lives and says nothing is believed after a while.
 *
 * @param {import('./supervise').Life} life
 */
async function saysWorkerReady(life) {
  return life.output().includes('worker ready') || performance.now() - life.bornMs > ALIVE_IS_READY_MS;
}

module.exports = { answersOk, saysWorkerReady };

'use strict';

/** The delay before a crashed child is restarted: it grows with each crash, and is reset after a longer life. */

const FIRST_MS = 250;
const MAX_MS = 10_000;
const FORGIVEN_AFTER_MS = 30_000;

/**
 * @param {number} previousMs the last delay, 0 before the first
 * @param {number} livedMs
 */
function nextDelay(previousMs, livedMs) {
  if (previousMs === 0 || livedMs >= FORGIVEN_AFTER_MS) return FIRST_MS;
  return Math.min(previousMs * 2, MAX_MS);
}

module.exports = { nextDelay };

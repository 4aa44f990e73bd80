'use strict';

/** Waiting: for some time, or until a condition is true. */

/** @param {number} milliseconds @param {AbortSignal} [signal] ends the sleep early, without an error */
function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(undefined);
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve(undefined);
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}

/**
 * @param {() => Promise<boolean> | boolean} question a throw counts as "not yet"
 * @param {{ timeoutMs: number, everyMs?: number, signal?: AbortSignal | undefined }} options
 * @returns {Promise<boolean>} false when the time is up or the signal came
 */
async function until(question, { timeoutMs, everyMs = 25, signal }) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (signal?.aborted === true) return false;
    try {
      if (await question()) return true;
    } catch {
      // Not yet: a starting server normally refuses connections.
    }
    if (performance.now() >= deadline) return false;
    await sleep(everyMs, signal);
  }
}

module.exports = { sleep, until };

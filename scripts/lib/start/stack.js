'use strict';

/** All children of one start: started in the order in which they are added, stopped in reverse. */

const path = require('node:path');
const { Failure } = require('../failure');
const { lastLines } = require('./log-files');
const { supervise } = require('./supervise');

/** @typedef {import('./supervise').ChildSpec} ChildSpec */

/** A child that ends is reported at once; a live one may be slow on a busy machine. */
const READY_WITHIN_MS = 180_000;
const STOP_WITHIN_MS = 30_000;
const LAST_LINES = 20;

/**
 * @param {import('./supervise').Places} places
 * @param {(text: string) => void} tell
 */
function createStack(places, tell) {
  /** @type {ReturnType<typeof supervise>[][]} */
  const layers = [];
  let stopping = false;

  /** @type {(failure: Error) => void} */
  let reportLost = () => undefined;
  /** @type {Promise<never>} */
  const lost = new Promise((_, reject) => {
    reportLost = reject;
  });
  // Without this handler, a failure before anyone awaits it would be an unhandled rejection.
  lost.catch(() => undefined);

  /** @param {string} name */
  const logOf = (name) => path.join(places.logs, `${name}.log`);

  /** @param {ReturnType<typeof supervise>} child @param {string} reason */
  const failureOf = (child, reason) => new Failure(reason, { detail: lastLines(logOf(child.name), LAST_LINES) });

  /** @param {ReturnType<typeof supervise>} child */
  const requireReady = async (child) => {
    if ((await child.whenReady(READY_WITHIN_MS)) || stopping) return;
    const reason = child.lostTo();
    if (reason !== undefined) throw failureOf(child, reason);
    const file = logOf(child.name);
    throw failureOf(
      child,
      `${child.name} did not come up (its last words are above, all of them in ${file}): ` +
        'correct what it complains about and run npm start again.',
    );
  };

  return {
    /** Fails if a child will never start again. */
    lost,
    /**
     * Starts them in parallel and waits until all are ready.
     *
     * @param {ChildSpec[]} specs
     */
    add: async (specs) => {
      if (stopping) return;
      const layer = specs.map((spec) => supervise(spec, places, tell));
      layers.unshift(layer);
      for (const child of layer) void child.lost.then((reason) => reportLost(failureOf(child, reason)));
      await Promise.all(layer.map(requireReady));
    },
    /** A layer has ended before the layer below it is stopped. */
    stop: async () => {
      stopping = true;
      for (const layer of layers) await Promise.all(layer.map((child) => child.stop(STOP_WITHIN_MS)));
    },
    kill: () => {
      stopping = true;
      for (const child of layers.flat()) child.kill();
    },
  };
}

module.exports = { createStack };

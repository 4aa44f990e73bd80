'use strict';

/**
 * Ctrl-C and its kin: the first asks us to stop in order, a second one ends us at once. The death of npm counts as the
 * first, for whoever runs `npm start` and kills npm means all of it.
 */

const { parentOf } = require('./processes');

const PARENT_CHECK_MS = 1000;

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * @param {{ stop: (reason: string) => void, hurry: () => void }} handlers
 */
function onInterrupt({ stop, hurry }) {
  let stopping = false;
  /** @param {string} reason */
  const interrupt = (reason) => {
    if (stopping) return hurry();
    stopping = true;
    stop(reason);
  };
  let last = 0;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // In a terminal npm passes on what the terminal has sent us already: one key press, two signals.
      const now = performance.now();
      if (stopping && now - last < 300) return;
      last = now;
      interrupt(signal);
    });
  }
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const ancestors = ancestry();
  setInterval(() => {
    if (!stopping && ancestry() !== ancestors) interrupt('npm has ended');
  }, PARENT_CHECK_MS).unref();
}

/** npm runs us by a shell, which may be between us: both count. */
function ancestry() {
  return `${process.ppid} ${parentOf(process.ppid)}`;
}

module.exports = { onInterrupt };

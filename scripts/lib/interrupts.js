'use strict';

/**
 * Ctrl-C and other signals: the first asks for an orderly stop, the second ends us at once. The death of npm counts as
 * the first, because a user who kills the npm of `npm start` means all of it.
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
      // In a terminal, npm forwards a signal that the terminal has already sent us: one key press, two signals.
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

/** npm starts us through a shell, which may be our parent, so either parent counts. */
function ancestry() {
  return `${process.ppid} ${parentOf(process.ppid)}`;
}

module.exports = { onInterrupt };

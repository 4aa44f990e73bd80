'use strict';

/** Detects a child that lives but does nothing: one that no longer touches its file is replaced. */

const fs = require('node:fs');

const LOOK_EVERY_MS = 500;

/**
 * @typedef {object} Heartbeat
 * @property {string} file touched by the child while it is well
 * @property {number} silentMs older than this, the child counts as frozen
 */

/**
 * @param {Heartbeat} heartbeat
 * @param {() => void} onSilence called once
 * @returns {() => void} ends the watching, and leaves no file behind
 */
function watchHeartbeat({ file, silentMs }, onSilence) {
  fs.rmSync(file, { force: true });
  // The file's time is not compared with our clock, which jumps when the machine sleeps.
  let lastTouch = 0;
  let stillMs = 0;
  let looked = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // A late check means that we were frozen too, so that time does not count.
    stillMs += Math.min(now - looked, LOOK_EVERY_MS * 2);
    looked = now;
    const touched = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // Before its first touch the child is still starting, which other code watches.
    if (touched === 0 || touched !== lastTouch) stillMs = 0;
    lastTouch = touched;
    if (stillMs < silentMs) return;
    clearInterval(timer);
    onSilence();
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    fs.rmSync(file, { force: true });
  };
}

module.exports = { watchHeartbeat };

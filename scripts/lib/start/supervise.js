'use strict';

/** Keeps one child alive: starts it, watches it, and restarts it with a back-off when it ends, until told to stop. */

const fs = require('node:fs');
const path = require('node:path');
const { isDiskFull } = require('../servers/full-disk');
const { spawnGuarded } = require('../guard');
const { openLog } = require('./log-files');
const { watchHeartbeat } = require('./heartbeat');
const { sleep, until } = require('../waiting');

/**
 * @typedef {object} Life one process of a child
 * @property {number} bornMs
 * @property {() => string} output what it has written so far
 */

/**
 * @typedef {object} ChildSpec
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} env
 * @property {string} cwd
 * @property {'TERM' | 'KILL'} deathSignal what it gets when the supervisor is killed
 * @property {(life: Life) => Promise<boolean>} isReady
 * @property {(output: string) => string | undefined} [mend] removes what kept it from coming up, and says what it did
 * @property {(output: string) => string | undefined} [giveUp] says why it will never come up, if it knows
 * @property {import('./heartbeat').Heartbeat} [heartbeat] how it shows that it is at work, where being alive is not enough
 */

/**
 * @typedef {object} Places
 * @property {string} run pid files
 * @property {string} logs
 */

/** A child that dies this often before it was ever ready will not start by itself. */
const HOPELESS_AFTER = 5;
/** How often a child that is not ready is asked whether its disk is full: MariaDB may wait for space and not end. */
const LOOK_EVERY_MS = 1000;

const FIRST_MS = 250;
const MAX_MS = 10_000;
const FORGIVEN_AFTER_MS = 30_000;

/**
 * The delay before a crashed child is restarted: it grows with each crash, and is reset after a longer life.
 *
 * @param {number} previousMs the last delay, 0 before the first
 * @param {number} livedMs
 */
function nextDelay(previousMs, livedMs) {
  if (previousMs === 0 || livedMs >= FORGIVEN_AFTER_MS) return FIRST_MS;
  return Math.min(previousMs * 2, MAX_MS);
}

/**
 * For people and for a later start. The child runs without it too, on a full disk.
 *
 * @param {string} file
 * @param {number | undefined} pid
 */
function notePid(file, pid) {
  try {
    fs.writeFileSync(file, `${pid ?? ''}\n`);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOSPC') throw error;
  }
}

/**
 * @param {ChildSpec} spec
 * @param {Places} places
 * @param {(text: string) => void} tell
 */
function supervise(spec, places, tell) {
  const pidFile = path.join(places.run, `${spec.name}.pid`);
  const stopping = new AbortController();
  const settled = new AbortController();
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let wasReady = false;
  /** Whether its disk is full: then it is waited for without limit. */
  let lacksRoom = false;
  /** Why it will never start. @type {string | undefined} */
  let lostTo;
  /** @type {(reason: string) => void} */
  let reportLost = () => undefined;
  /** @type {Promise<string>} */
  const lost = new Promise((resolve) => {
    reportLost = resolve;
  });

  const launch = () => {
    const log = openLog(places.logs, spec.name);
    const started = spawnGuarded(spec.command, spec.args, {
      deathSignal: spec.deathSignal,
      pidFile,
      cwd: spec.cwd,
      env: { ...spec.env, PARTYLINE_CHILD: spec.name },
      stdio: ['ignore', log.descriptor, log.descriptor],
    });
    fs.closeSync(log.descriptor);
    notePid(pidFile, started.pid);
    child = started;
    /** @type {Promise<string>} */
    const end = new Promise((resolve) => {
      started.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
      started.once('error', (error) => resolve(error.message));
    });
    return { end, output: log.since };
  };

  /** @param {string} output of a child that is not ready */
  const lookForRoom = (output) => {
    const lackedRoom = lacksRoom;
    lacksRoom = isDiskFull(spec.cwd, output);
    if (lacksRoom && !lackedRoom) {
      tell(`${spec.name} waits: the disk of ${spec.cwd} is full. It goes on by itself when there is space`);
    }
  };

  const replace = () => {
    tell(`${spec.name} has stalled and is replaced`);
    child?.kill('SIGKILL');
  };

  /** One process from its start to its end. @param {boolean} again */
  const live = async (again) => {
    const bornMs = performance.now();
    const { end, output } = launch();
    const look = setInterval(() => lookForRoom(output()), LOOK_EVERY_MS);
    let cameUp = false;
    const ended = new AbortController();
    const ready = until(() => spec.isReady({ bornMs, output }), {
      timeoutMs: Number.POSITIVE_INFINITY,
      everyMs: 50,
      signal: ended.signal,
    }).then((yes) => {
      if (!yes) return;
      cameUp = true;
      wasReady = true;
      lacksRoom = false;
      clearInterval(look);
      settled.abort();
      if (again) tell(`${spec.name} is back (pid ${child?.pid})`);
    });
    const stopWatching = spec.heartbeat === undefined ? () => undefined : watchHeartbeat(spec.heartbeat, replace);
    const how = await end;
    stopWatching();
    clearInterval(look);
    ended.abort();
    await ready;
    return { how, livedMs: performance.now() - bornMs, lastWords: cameUp ? undefined : output() };
  };

  /** Tries to repair what ended a child before it was ready. @param {string | undefined} lastWords */
  const care = (lastWords) => {
    if (lastWords === undefined) return 'nothing';
    lookForRoom(lastWords);
    if (lacksRoom) return 'nothing';
    const mended = spec.mend?.(lastWords);
    if (mended !== undefined) {
      tell(`${spec.name}: ${mended}`);
      return 'mended';
    }
    lostTo = spec.giveUp?.(lastWords);
    if (lostTo === undefined) return 'nothing';
    settled.abort();
    reportLost(lostTo);
    return 'lost';
  };

  const run = async () => {
    let delay = 0;
    let deaths = 0;
    for (let again = false; !stopping.signal.aborted; again = true) {
      const { how, livedMs, lastWords } = await live(again);
      if (stopping.signal.aborted) break;
      const outcome = care(lastWords);
      if (outcome === 'lost') break;
      if (outcome === 'mended') continue;
      deaths = lacksRoom ? 0 : deaths + 1;
      if (!wasReady && deaths >= HOPELESS_AFTER) settled.abort();
      delay = nextDelay(delay, livedMs);
      if (!lacksRoom) tell(`${spec.name} ended (${how}), starts again in ${delay / 1000} s (log: ${spec.name}.log)`);
      await sleep(delay, stopping.signal);
    }
    fs.rmSync(pidFile, { force: true });
  };
  const over = run();

  return {
    name: spec.name,
    /** Resolves with the reason if the child will never start; otherwise never resolves. */
    lost,
    /** The reason, if it is already known. */
    lostTo: () => lostTo,
    /**
     * @param {number} timeoutMs
     * @returns {Promise<boolean>} whether it has come up; also false when it keeps dying or is stopped
     */
    whenReady: async (timeoutMs) => {
      const over = AbortSignal.any([settled.signal, stopping.signal]);
      do await sleep(timeoutMs, over);
      while (lacksRoom && !over.aborted);
      return wasReady;
    },
    /** @param {number} graceMs */
    stop: async (graceMs) => {
      stopping.abort();
      child?.kill('SIGTERM');
      const insist = setTimeout(() => child?.kill('SIGKILL'), graceMs);
      await over;
      clearTimeout(insist);
    },
    /** Kills it without waiting. */
    kill: () => {
      stopping.abort();
      child?.kill('SIGKILL');
      for (const file of [pidFile, spec.heartbeat?.file]) if (file !== undefined) fs.rmSync(file, { force: true });
    },
  };
}

module.exports = { nextDelay, supervise };

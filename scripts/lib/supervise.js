'use strict';

/** One child, kept alive: started, watched, started again with back-off when it ends, until it is told to stop. */

const fs = require('node:fs');
const path = require('node:path');
const { nextDelay } = require('./back-off');
const { spawnGuarded } = require('./guard');
const { openLog } = require('./log-files');
const { watchPulse } = require('./pulse');
const { sleep, until } = require('./waiting');

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
 * @property {import('./pulse').Pulse} [pulse] how it shows that it is at work, where being alive is not enough
 */

/**
 * @typedef {object} Places
 * @property {string} run pid files
 * @property {string} logs
 */

/** A child that dies this often before it was ever ready will not come up by itself. */
const HOPELESS_AFTER = 5;

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
  /** Why it will never come up. @type {string | undefined} */
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
    fs.writeFileSync(pidFile, `${started.pid ?? ''}\n`);
    child = started;
    /** @type {Promise<string>} */
    const end = new Promise((resolve) => {
      started.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
      started.once('error', (error) => resolve(error.message));
    });
    return { end, output: log.since };
  };

  const replace = () => {
    tell(`${spec.name} has stalled and is replaced`);
    child?.kill('SIGKILL');
  };

  /** One process from its start to its end. @param {boolean} again */
  const live = async (again) => {
    const bornMs = performance.now();
    const { end, output } = launch();
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
      settled.abort();
      if (again) tell(`${spec.name} is back (pid ${child?.pid})`);
    });
    const stopWatching = spec.pulse === undefined ? () => undefined : watchPulse(spec.pulse, replace);
    const how = await end;
    stopWatching();
    ended.abort();
    await ready;
    return { how, livedMs: performance.now() - bornMs, lastWords: cameUp ? undefined : output() };
  };

  /** What can be done for one that ended before it was ready. @param {string | undefined} lastWords */
  const care = (lastWords) => {
    if (lastWords === undefined) return 'nothing';
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
    for (let deaths = 0; !stopping.signal.aborted;) {
      const { how, livedMs, lastWords } = await live(deaths > 0);
      if (stopping.signal.aborted) break;
      deaths += 1;
      const outcome = care(lastWords);
      if (outcome === 'lost') break;
      if (outcome === 'mended') continue;
      if (!wasReady && deaths >= HOPELESS_AFTER) settled.abort();
      delay = nextDelay(delay, livedMs);
      tell(`${spec.name} ended (${how}), starts again in ${delay / 1000} s (log: ${spec.name}.log)`);
      await sleep(delay, stopping.signal);
    }
    fs.rmSync(pidFile, { force: true });
  };
  const over = run();

  return {
    name: spec.name,
    /** Resolves with the reason when it will never come up; otherwise never. */
    lost,
    /** The same, for those who have waited for it. */
    lostTo: () => lostTo,
    /**
     * @param {number} timeoutMs
     * @returns {Promise<boolean>} whether it has come up; also false when it keeps dying or is stopped
     */
    whenReady: async (timeoutMs) => {
      await sleep(timeoutMs, AbortSignal.any([settled.signal, stopping.signal]));
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
    /** At once and without waiting. */
    kill: () => {
      stopping.abort();
      child?.kill('SIGKILL');
      for (const file of [pidFile, spec.pulse?.file]) if (file !== undefined) fs.rmSync(file, { force: true });
    },
  };
}

module.exports = { supervise };

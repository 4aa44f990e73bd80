'use strict';

/** Allows one supervisor per data directory. The pid file beside the lock is for people and for the error message. */

const fs = require('node:fs');
const path = require('node:path');
const { Failure } = require('../failure');
const { endProcess, environmentOf, isAlive } = require('../processes');
const { tryLock } = require('../socket-lock');

const GRACE_MS = 15_000;

/** @param {string} file */
function pidIn(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8').trim());
  } catch {
    return 0;
  }
}

/**
 * @param {string} dataDir
 * @param {string} runDir
 * @returns {Promise<() => void>} lets go of it
 */
async function lockDataDirectory(dataDir, runDir) {
  const pidFile = path.join(runDir, 'supervisor.pid');
  const release = await tryLock(fs.realpathSync(dataDir));
  if (release === undefined) {
    throw new Failure(
      `Partyline is already running on ${dataDir} (pid ${pidIn(pidFile) || 'unknown'}): stop that one first, ` +
        'or set DATA_DIR, PORT and PBX_SIM_PORT to run another beside it.',
    );
  }
  fs.writeFileSync(pidFile, `${process.pid}\n`);
  return () => {
    fs.rmSync(pidFile, { force: true });
    release();
  };
}

/**
 * Children of a killed supervisor may still use the data directory for some seconds: this waits for their end, and ends
 * them if necessary. A pid file whose process is not our child (pids are reused) is ignored.
 *
 * @param {string} runDir
 * @param {string} dataDir
 */
async function endLeftovers(runDir, dataDir) {
  const names = fs.readdirSync(runDir).flatMap((file) => /^(.+)\.pid$/.exec(file)?.[1] ?? []);
  await Promise.all(
    names
      .filter((name) => name !== 'supervisor')
      .map(async (name) => {
        const file = path.join(runDir, `${name}.pid`);
        const pid = pidIn(file);
        const environment = isAlive(pid) ? environmentOf(pid) : [];
        if (environment.includes(`PARTYLINE_CHILD=${name}`) && environment.includes(`DATA_DIR=${dataDir}`)) {
          await endProcess(pid, GRACE_MS);
        }
        fs.rmSync(file, { force: true });
      }),
  );
}

module.exports = { endLeftovers, lockDataDirectory };

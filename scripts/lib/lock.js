'use strict';

/** Allows one supervisor per data directory. The pid file beside the lock is for people and for the error message. */

const fs = require('node:fs');
const path = require('node:path');
const { Failure } = require('./failure');
const { tryLock } = require('./socket-lock');

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

module.exports = { lockDataDirectory, pidIn };

'use strict';

/**
 * Children of a killed supervisor may still use the data directory for some seconds: this waits for their end, and ends
 * them if necessary. A pid file whose process is not our child (pids are reused) is ignored.
 */

const fs = require('node:fs');
const path = require('node:path');
const { pidIn } = require('./lock');
const { endProcess, environmentOf, isAlive } = require('./processes');

const GRACE_MS = 15_000;

/**
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

module.exports = { endLeftovers };

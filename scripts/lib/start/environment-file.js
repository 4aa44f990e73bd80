'use strict';

/** Tells `npm run cli` the private services of a running `npm start`: a file that only its owner may read. */

const fs = require('node:fs');
const path = require('node:path');
const { writePrivate } = require('../paths');

const NAMES = 'REDIS_URL DATABASE_URL DATA_DIR HOST PORT NODES WORKERS NODE_ENV PBX_SIM_PORT PRODUCTS NAMESPACE'.split(
  ' ',
);

/** @param {string} dataDir */
const fileIn = (dataDir) => path.join(dataDir, 'run/environment.json');

/**
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} env
 */
function writeEnvironment(dataDir, env) {
  const chosen = Object.fromEntries(NAMES.map((name) => [name, env[name]]));
  writePrivate(fileIn(dataDir), `${JSON.stringify(chosen, null, 2)}\n`);
}

/** @param {string} dataDir */
function removeEnvironment(dataDir) {
  fs.rmSync(fileIn(dataDir), { force: true });
}

/**
 * The user's own variables win; the file fills in the rest.
 *
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function withEnvironment(dataDir, env) {
  const file = fileIn(dataDir);
  if ((env['REDIS_URL'] && env['DATABASE_URL']) || !fs.existsSync(file)) return env;
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  return { ...JSON.parse(fs.readFileSync(file, 'utf8')), ...set };
}

module.exports = { writeEnvironment, removeEnvironment, withEnvironment };

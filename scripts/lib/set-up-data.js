'use strict';

/** The database as this version wants it: migrated, and with demo data in it when it is empty and not in production. */

const path = require('node:path');
const { Failure } = require('./failure');
const { root } = require('./paths');
const { runCommand } = require('./run-command');

/**
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 */
async function cli(command, env) {
  const outcome = await runCommand(process.execPath, [path.join(root, 'dist/cli/main.js'), command, '--json'], {
    cwd: root,
    env: { ...env, NODE_NAME: command },
  });
  if (outcome.code === 0) return;
  throw new Failure(`"npm run cli -- ${command}" failed (see above): correct what it names and run npm start again.`, {
    detail: outcome.all.split('\n').slice(-20).join('\n'),
  });
}

/**
 * @param {import('./progress').Progress} progress
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} production
 */
async function setUpData(progress, env, production) {
  await progress.step('Migrating the database', () => cli('migrate', env));
  if (!production) await progress.step('Demo data, if the database is empty', () => cli('seed', env));
}

module.exports = { setUpData };

'use strict';

/** Brings the database up to date: runs migrations, and adds demo data if it is empty and this is not production. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Failure } = require('../failure');
const { root } = require('../paths');
const { runCommand } = require('../run-command');
const { filesBelow, hashFiles, isStamped } = require('../build/stamps');

/** @typedef {import('./settings').Settings} Settings */

/** @param {Settings} settings */
function schemaStamp({ dataDir, nodeEnv, products }) {
  const migrations = filesBelow(path.join(root, 'src')).filter((file) => file.includes('/migrations/'));
  const hash = `${nodeEnv} ${products.join()} ${hashFiles(root, migrations)}`;
  // Beside the private data, so that it is deleted with them.
  return { file: path.join(dataDir, 'mariadb/.partyline-stamp'), hash };
}

/**
 * Whether the private database already had every table of this version.
 *
 * @param {Settings} settings
 */
function wasSetUp(settings) {
  const { file, hash } = schemaStamp(settings);
  return settings.databaseUrl === undefined && isStamped(file, hash);
}

/** @param {Settings} settings */
function noteSetUp(settings) {
  const { file, hash } = schemaStamp(settings);
  if (settings.databaseUrl === undefined && fs.existsSync(path.dirname(file))) fs.writeFileSync(file, hash);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} production
 * @param {number} [niceness] 19: only while nobody else wants the processor
 */
async function runSetUp(env, production, niceness = 0) {
  const commands = production ? ['migrate'] : ['migrate', 'seed'];
  const outcome = await runCommand(process.execPath, [__filename, `${niceness}`, ...commands], { cwd: root, env });
  if (outcome.code === 0) return;
  throw new Failure('The database could not be set up (see above): correct what is named and run npm start again.', {
    detail: outcome.all.split('\n').slice(-20).join('\n'),
  });
}

/**
 * @param {import('../progress').Progress} progress
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} production
 */
function setUpData(progress, env, production) {
  const title = `Migrating the database${production ? '' : ', demo data if it is empty'}`;
  return progress.step(title, () => runSetUp(env, production));
}

/** Runs several commands in one process, because loading the program takes longer than running them. */
async function runCommands() {
  const [niceness, ...commands] = process.argv.slice(2);
  // npm start may itself run with nice.
  os.setPriority(Math.min(os.getPriority() + Number(niceness), os.constants.priority.PRIORITY_LOW));
  const { runCommandLine } = require(path.join(root, 'dist/cli/program.js'));
  const print = (/** @type {string} */ text) => void process.stdout.write(text);
  const place = { environment: process.env, input: process.stdin, print, complain: print };
  for (const command of commands) {
    const code = await runCommandLine([command, '--json'], place);
    if (code !== 0) return code;
  }
  return 0;
}

// A frozen server may keep a connection open; the process exits anyway.
if (require.main === module) void runCommands().then((code) => process.exit(code));

module.exports = { noteSetUp, runSetUp, setUpData, wasSetUp };

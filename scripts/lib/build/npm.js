'use strict';

/** Runs npm: the one that started this script, else the one in PATH. Install scripts of packages never run. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { cache } = require('../paths');
const { runCommand } = require('../run-command');

/** @param {string} directory */
function isWritable(directory) {
  try {
    fs.accessSync(directory, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm needs a home directory for its cache; some accounts have none. */
function npmEnvironment() {
  const home = process.env['HOME'] ?? os.homedir();
  const inHome = path.join(home, '.npm');
  if (isWritable(fs.existsSync(inHome) ? inHome : home)) return process.env;
  return { ...process.env, npm_config_cache: path.join(cache, 'npm'), npm_config_logs_max: '0' };
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function runNpm(args, cwd) {
  const npm = process.env['npm_execpath'];
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const all = [...first, ...args, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  return runCommand(command, all, { cwd, env: npmEnvironment() });
}

module.exports = { runNpm };

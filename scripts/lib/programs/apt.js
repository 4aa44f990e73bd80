'use strict';

/**
 * Debian packages without root: apt resolves, downloads and verifies them as usual, but into a directory of ours, where
 * dpkg-deb unpacks them. Nothing is installed, no service is started, and nothing outside the checkout changes.
 */

const fs = require('node:fs');
const path = require('node:path');
const { runCommand } = require('../run-command');

/** @typedef {{ name: string, version: string, bytes: number }} AptPackage */

// 'address' file size [hash] – the file is name_version_architecture.deb with %-escapes in the version.
const LINE = /^'[^']+' ([^_\s]+)_([^_\s]+)_[^_\s]+\.deb (\d+)/;

/**
 * @param {string} text printed by `apt-get install --print-uris`
 * @returns {AptPackage[]} every package apt would fetch; lines that are no packages are skipped
 */
function parsePrintUris(text) {
  const packages = [];
  for (const line of text.split('\n')) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const [, name = '', version = '', bytes = '0'] = match;
    packages.push({ name, version: decodeURIComponent(version), bytes: Number(bytes) });
  }
  return packages;
}

/**
 * apt's own error message, as one line.
 *
 * @param {string} text
 */
function firstError(text) {
  const line = text.split('\n').find((each) => each.startsWith('E: '));
  return line === undefined ? 'apt-get failed' : line.slice(3);
}

/**
 * Uses the machine's dpkg status, so that only missing packages are fetched.
 *
 * @param {string} work
 * @param {readonly string[]} more
 */
function aptOptions(work, more) {
  return [
    `Dir::State::lists=${path.join(work, 'lists')}`,
    `Dir::Cache=${path.join(work, 'cache')}`,
    'Debug::NoLocking=1',
    // Without this option, apt running as root switches to a user that cannot write here.
    'APT::Sandbox::User=',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=20',
    'Acquire::https::Timeout=20',
    'Acquire::Languages=none',
    ...more,
  ].flatMap((option) => ['-o', option]);
}

/**
 * @typedef {object} AptCall
 * @property {string} [cwd]
 * @property {string} [command] apt-get, or apt-cache
 * @property {readonly string[]} [options] of apt itself
 */

/**
 * @param {string} work
 * @param {readonly string[]} args
 * @param {AptCall} [call]
 */
async function apt(work, args, { cwd = work, command = 'apt-get', options = [] } = {}) {
  const outcome = await runCommand(command, [...aptOptions(work, options), '-qq', ...args], {
    cwd,
    env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (outcome.code !== 0) throw new Error(firstError(outcome.all));
  return outcome.stdout;
}

/**
 * @param {string} work a directory of this run alone: with its lock off, apt must not share one
 * @param {readonly string[]} [options] of apt
 */
async function updateLists(work, options = []) {
  for (const directory of ['lists/partial', 'cache/archives/partial']) {
    fs.mkdirSync(path.join(work, directory), { recursive: true });
  }
  await apt(work, ['update'], { options });
}

/**
 * Unpacks the packages and those of their dependencies that this machine lacks.
 *
 * @param {string} work where updateLists has run
 * @param {readonly string[]} packages
 * @param {string} target
 */
async function unpackPackages(work, packages, target) {
  // --reinstall also fetches a package that is installed but not usable from PATH.
  const plan = await apt(work, [
    'install',
    '--reinstall',
    '--print-uris',
    '--no-install-recommends',
    '--no-remove',
    ...packages,
  ]);
  const wanted = parsePrintUris(plan);
  if (wanted.length === 0) throw new Error(`apt offers no ${packages.join(', ')}`);
  await unpackExactly(
    work,
    wanted.map((each) => `${each.name}=${each.version}`),
    target,
  );
}

/**
 * Unpacks these packages without their dependencies.
 *
 * @param {string} work
 * @param {readonly string[]} packages
 * @param {string} target
 * @param {readonly string[]} [options] of apt
 */
async function unpackExactly(work, packages, target, options = []) {
  const downloads = fs.mkdtempSync(path.join(work, 'downloads-'));
  await apt(work, ['download', ...packages], { cwd: downloads, options });
  fs.mkdirSync(target, { recursive: true });
  for (const file of fs.readdirSync(downloads)) {
    const outcome = await runCommand('dpkg-deb', ['-x', path.join(downloads, file), target]);
    if (outcome.code !== 0) throw new Error(`dpkg-deb could not unpack ${file}: ${outcome.all.trim()}`);
  }
}

/** Whether this machine has apt. */
async function hasApt() {
  const outcomes = await Promise.all([runCommand('apt-get', ['--version']), runCommand('dpkg-deb', ['--version'])]);
  return outcomes.every((outcome) => outcome.code === 0);
}

module.exports = { apt, firstError, hasApt, parsePrintUris, unpackExactly, unpackPackages, updateLists };

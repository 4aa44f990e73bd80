'use strict';

/** Brings node_modules up to date with package-lock.json: installs only if the lockfile has changed. */

const fs = require('node:fs');
const path = require('node:path');
const { Failure } = require('../failure');
const { runNpm } = require('./npm');
const { root } = require('../paths');
const { exclusively } = require('../socket-lock');
const { hashFiles, isStamped } = require('./stamps');

const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.partyline-stamp');

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean }>} */
function lockedPackages(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? {};
}

/** npm writes a lockfile of what it installed, so a user who already ran npm does not wait a second time. */
function isInstalledByHand() {
  const installed = path.join(modules, '.package-lock.json');
  if (!fs.existsSync(installed)) return false;
  const there = lockedPackages(installed);
  return Object.entries(lockedPackages(path.join(root, 'package-lock.json'))).every(
    ([name, entry]) => name === '' || entry.optional === true || there[name]?.version === entry.version,
  );
}

/** Never `npm install`, which accepts packages without a checksum in the lockfile. */
async function install() {
  // --include=dev, because with NODE_ENV=production npm would leave out the compiler.
  const outcome = await runNpm(['ci', '--include=dev'], root);
  if (outcome.code === 0) return;
  throw new Failure('npm failed (its words are above): check the network and package-lock.json, then try again.', {
    detail: outcome.all.split('\n').slice(-20).join('\n'),
  });
}

/** @param {import('../progress').Progress} progress */
async function ensureDependencies(progress) {
  const hash = hashFiles(root, [path.join(root, 'package.json'), path.join(root, 'package-lock.json')]);
  if (isStamped(stamp, hash)) return;
  await progress.step('Installing dependencies', () =>
    // npm start and npm test may run at the same time, and two npm processes in one tree break each other's work.
    exclusively(`install ${root}`, async () => {
      if (isStamped(stamp, hash)) return;
      if (!isInstalledByHand()) await install();
      fs.writeFileSync(stamp, hash);
    }),
  );
}

module.exports = { ensureDependencies };

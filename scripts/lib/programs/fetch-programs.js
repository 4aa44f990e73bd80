'use strict';

/**
 * Finds the servers that we need: in PATH, else below .cache/services where an earlier run unpacked them, else by apt
 * without root. Concurrent runs do not disturb each other: each unpacks into its own directory and renames it into
 * place.
 */

const fs = require('node:fs');
const path = require('node:path');
const { hasApt, unpackPackages, updateLists } = require('./apt');
const { unpackFromSuite } = require('./apt-suite');
const { Failure } = require('../failure');
const { cache } = require('../paths');
const { isAlive } = require('../processes');
const { RECIPES, findInPath, findUnpacked } = require('./programs');

/**
 * @typedef {import('./programs').ProgramName} ProgramName
 * @typedef {import('./programs').Program} Program
 */

const EX_UNAVAILABLE = 69;

const store = () => path.join(cache, 'services', process.arch);

/**
 * Programs fetched together share a directory, which is named after them.
 *
 * @param {readonly ProgramName[]} names
 */
const placeOf = (names) => path.join(store(), names.join('+'));

/** @param {ProgramName} name */
async function findStored(name) {
  const places = fs.existsSync(store()) ? fs.readdirSync(store()) : [];
  for (const place of places) {
    if (!place.split('+').includes(name)) continue;
    const program = await findUnpacked(name, path.join(store(), place));
    if (program !== undefined) return program;
  }
  return undefined;
}

/** Deletes the leftovers of runs that were killed. */
function sweep() {
  for (const name of fs.readdirSync(store())) {
    const match = /^work-(\d+)-/.exec(name);
    if (match !== null && !isAlive(Number(match[1]))) {
      fs.rmSync(path.join(store(), name), { recursive: true, force: true });
    }
  }
}

/**
 * The package redis-server contains only a service and this link; redis-tools contains the program.
 *
 * @param {string} prefix
 */
function linkRedis(prefix) {
  const bin = path.join(prefix, 'usr/bin');
  if (fs.existsSync(path.join(bin, 'redis-check-rdb')) && !fs.existsSync(path.join(bin, 'redis-server'))) {
    fs.symlinkSync('redis-check-rdb', path.join(bin, 'redis-server'));
  }
}

/** @param {readonly ProgramName[]} names @param {string} from */
async function moveIntoPlace(names, from) {
  const to = placeOf(names);
  try {
    fs.renameSync(from, to);
    return;
  } catch {
    // A directory is already there. If its programs work, another run was faster: keep it, because they may be in use.
    const usable = await Promise.all(names.map((name) => findUnpacked(name, to)));
    if (usable.every((program) => program !== undefined)) return;
  }
  const old = fs.mkdtempSync(path.join(store(), `work-${process.pid}-`));
  fs.renameSync(to, path.join(old, 'unusable'));
  fs.renameSync(from, to);
  fs.rmSync(old, { recursive: true, force: true });
}

/**
 * Programs of another suite have their own C library, so each gets its own directory.
 *
 * @template {ProgramName} Name
 * @param {readonly Name[]} names
 * @returns {Name[][]}
 */
function groupsOf(names) {
  const ofSuites = names.filter((name) => RECIPES[name].suite !== undefined);
  const others = names.filter((name) => RECIPES[name].suite === undefined);
  return [others, ...ofSuites.map((name) => [name])].filter((group) => group.length > 0);
}

/**
 * @param {readonly ProgramName[]} names of one group
 * @param {(text: string) => void} note
 */
async function fetchByApt(names, note) {
  fs.mkdirSync(store(), { recursive: true });
  sweep();
  const work = fs.mkdtempSync(path.join(store(), `work-${process.pid}-`));
  try {
    const target = path.join(work, 'unpacked');
    const [{ suite, packages }] = /** @type {[import('./programs').Recipe]} */ (names.map((name) => RECIPES[name]));
    note('unpacking packages');
    if (suite !== undefined) await unpackFromSuite(work, { suite, packages }, target);
    else {
      await updateLists(work);
      await unpackPackages(
        work,
        names.flatMap((name) => RECIPES[name].packages),
        target,
      );
      linkRedis(target);
    }
    await moveIntoPlace(names, target);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** The packages that a user would install to have these programs permanently. */
const DEBIAN_PACKAGES = {
  redis: 'redis-server',
  mariadb: 'mariadb-server',
  galera: 'mariadb-server galera-4',
  haproxy: 'haproxy',
  nginx: 'nginx',
  kamailio: 'kamailio',
  asterisk: 'asterisk',
  sipp: 'sip-tester',
  chromium: 'chromium',
  ejabberd: 'ejabberd',
  prosody: 'prosody',
};

/** @param {readonly ProgramName[]} missing @param {string} reason */
function unavailable(missing, reason) {
  const packages = missing.map((name) => DEBIAN_PACKAGES[name]).join(' ');
  return new Failure(
    `Cannot get ${missing.join(' and ')} (${reason}): install it (apt-get install ${packages}; dnf install redis ` +
      'mariadb-server; brew install redis mariadb), or set REDIS_URL and DATABASE_URL to servers you have, ' +
      'or start a Docker engine with the compose plugin.',
    { exitCode: EX_UNAVAILABLE },
  );
}

/**
 * @template {ProgramName} Name
 * @param {readonly Name[]} names
 * @param {(text: string) => void} [note] says what it is doing
 * @returns {Promise<Record<Name, Program>>} all of them, or a Failure with exit code 69
 */
async function fetchPrograms(names, note = () => undefined) {
  /** @type {Map<Name, Program>} */
  const found = new Map();
  const look = async () => {
    for (const name of names) {
      const program = found.get(name) ?? (await findInPath(name)) ?? (await findStored(name));
      if (program !== undefined) found.set(name, program);
    }
    return names.filter((name) => !found.has(name));
  };
  let missing = await look();
  if (missing.length > 0) {
    if (!(await hasApt())) throw unavailable(missing, 'not in PATH, and this machine has no apt');
    try {
      for (const group of groupsOf(missing)) await fetchByApt(group, note);
    } catch (error) {
      throw unavailable(missing, error instanceof Error ? error.message : String(error));
    }
    missing = await look();
    if (missing.length > 0) throw unavailable(missing, 'the packages apt gave do not run here');
  }
  note(
    [...found]
      .map(([name, { version, prefix }]) => `${name} ${version}${prefix === '/' ? '' : ' unpacked'}`)
      .join(', '),
  );
  return /** @type {Record<Name, Program>} */ (Object.fromEntries(found));
}

module.exports = { fetchPrograms, EX_UNAVAILABLE };

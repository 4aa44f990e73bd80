'use strict';

/** The servers that we run but do not ship: where to find each, its oldest supported version, and how to run it. */

const fs = require('node:fs');
const path = require('node:path');
const { runCommand } = require('../run-command');

/** @typedef {'redis' | 'mariadb' | 'galera' | 'haproxy' | 'kamailio' | 'nginx' | 'asterisk' | 'sipp' | 'chromium' | 'ejabberd' | 'prosody'} ProgramName */

/**
 * @typedef {object} Recipe
 * @property {string[]} packages Debian packages that hold it
 * @property {string} file the program
 * @property {string[]} versionArgs
 * @property {number} [versionCode] with which it ends then; 0 if not said
 * @property {[number, number]} minimum
 * @property {(file: string) => Record<string, string>} [environment] what an unpacked one must be told about where it lies
 * @property {string} [library] a file below a library directory without which the program is of no use
 * @property {string} [suite] the Debian suite that has it, where the stable ones have not
 */

/**
 * @typedef {object} Program
 * @property {string} path absolute
 * @property {string[]} args in front of its own arguments
 * @property {Record<string, string>} env to add to its environment
 * @property {string} prefix '/' or the directory its packages were unpacked to
 * @property {string[]} libraries its library directories
 * @property {string} version
 */

/** @type {Record<ProgramName, Recipe>} */
const RECIPES = {
  // redis-tools contains the server too: redis-server is a link to redis-check-rdb, which checks its own name.
  redis: { packages: ['redis-tools'], file: 'redis-server', versionArgs: ['--version'], minimum: [6, 2] },
  mariadb: { packages: ['mariadb-server-core'], file: 'mariadbd', versionArgs: ['--version'], minimum: [10, 6] },
  // A MariaDB for a Galera cluster: the server itself, and the replication library.
  galera: {
    packages: ['mariadb-server-core', 'galera-4'],
    file: 'mariadbd',
    versionArgs: ['--version'],
    minimum: [10, 6],
    library: 'galera/libgalera_smm.so',
  },
  haproxy: { packages: ['haproxy'], file: 'haproxy', versionArgs: ['-v'], minimum: [2, 4] },
  nginx: { packages: ['nginx'], file: 'nginx', versionArgs: ['-v'], minimum: [1, 19] },
  kamailio: {
    packages: ['kamailio', 'kamailio-mysql-modules'],
    file: 'kamailio',
    versionArgs: ['-v'],
    minimum: [5, 4],
    library: 'kamailio/modules/db_mysql.so',
  },
  // The exchanges that its driver is based on were recorded from version 22.
  asterisk: {
    packages: ['asterisk', 'asterisk-modules'],
    file: 'asterisk',
    versionArgs: ['-V'],
    minimum: [22, 0],
    library: 'asterisk/modules/res_pjsip.so',
    suite: 'sid',
  },
  // The program in usr/bin is a script with fixed paths; when unpacked, the one in usr/lib/chromium is run.
  chromium: {
    packages: ['chromium', 'fonts-dejavu-core', 'fontconfig-config'],
    file: 'chromium',
    versionArgs: ['--version'],
    minimum: [120, 0],
  },
  // ejabberd runs on Erlang, and the start scripts of both know only the paths of an installed package.
  ejabberd: {
    packages: ['ejabberd'],
    file: 'erlexec',
    versionArgs: ['-version'],
    minimum: [12, 0],
    library: '../sbin/ejabberdctl',
    environment: (file) => ({
      BINDIR: path.dirname(file),
      ROOTDIR: path.resolve(file, '../../..'),
      EMU: 'beam',
      PROGNAME: 'erl',
    }),
  },
  // Prosody runs on Lua.
  prosody: {
    packages: ['prosody'],
    file: 'lua5.4',
    versionArgs: ['-v'],
    minimum: [5, 4],
    library: 'prosody/prosody.version',
  },
  sipp: { packages: ['sip-tester'], file: 'sipp', versionArgs: ['-v'], versionCode: 99, minimum: [3, 6] },
};

// Servers are in sbin, which few users have in PATH; Fedora keeps mariadbd in libexec.
const EXTRA = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/libexec'];

/** @param {string} file */
function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The library directories below a prefix. Debian names them after the architecture (x86_64-linux-gnu, …), so the
 * existing directories are read instead of guessed.
 *
 * @param {string} prefix
 */
function libraryDirectories(prefix) {
  const found = [];
  for (const parent of ['usr/lib', 'lib']) {
    const directory = path.join(prefix, parent);
    if (!fs.existsSync(directory)) continue;
    for (const name of fs.readdirSync(directory)) {
      if (!/-linux-gnu/.test(name)) continue;
      found.push(path.join(directory, name));
      // Chromium's sound library loads a part of itself from a directory that only its own search path names.
      const sound = path.join(directory, name, 'pulseaudio');
      if (fs.existsSync(sound)) found.push(sound);
    }
    found.push(directory);
  }
  return found;
}

/** @param {string} text what the program printed about its version, which may hold paths with digits in them */
function parseVersion(text) {
  const match =
    /(?:\bv=|\bver |\bversion:?\s+(?:kamailio |nginx\/)?|\bAsterisk |\bSIPp v|\bChromium |\bLua )(\d+)\.(\d+)(\.\d+)?/i.exec(
      text,
    );
  if (match === null) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), text: `${match[1]}.${match[2]}${match[3] ?? ''}` };
}

/** @typedef {Pick<Program, 'path' | 'args' | 'env'>} Run */

/** @param {string} file @returns {Run} */
const asInstalled = (file) => ({ path: file, args: [], env: {} });

/** @param {Recipe} recipe @param {string} file @param {readonly string[]} libraries @returns {Run} */
const asUnpacked = (recipe, file, libraries) => ({
  path: file,
  args: [],
  env: { LD_LIBRARY_PATH: libraries.join(':'), ...recipe.environment?.(file) },
});

/**
 * A program of another suite uses that suite's C library, which only that library's own loader can load.
 *
 * @param {Recipe} _recipe
 * @param {string} file
 * @param {readonly string[]} libraries
 * @returns {Run}
 */
function byOwnLoader(_recipe, file, libraries) {
  const loaders = libraries.flatMap((directory) =>
    fs
      .readdirSync(directory)
      .flatMap((name) => (/^ld-linux.*\.so\.\d+$/.test(name) ? [path.join(directory, name)] : [])),
  );
  return { path: loaders[0] ?? file, args: ['--library-path', libraries.join(':'), file], env: {} };
}

/**
 * Runs the program once: one that cannot load its libraries, or is too old, counts as absent.
 *
 * @param {Recipe} recipe
 * @param {string} file
 * @param {string} prefix
 * @returns {Promise<Program | undefined>}
 */
async function tryProgram(recipe, file, prefix) {
  const libraries = libraryDirectories(prefix);
  if (recipe.library !== undefined) {
    const library = recipe.library;
    if (!libraries.some((directory) => fs.existsSync(path.join(directory, library)))) return undefined;
  }
  const unpacked = recipe.suite === undefined ? asUnpacked : byOwnLoader;
  const run = prefix === '/' ? asInstalled(file) : unpacked(recipe, file, libraries);
  const { path: command, args, env } = run;
  const outcome = await runCommand(command, [...args, ...recipe.versionArgs], { env: { ...process.env, ...env } });
  const version = outcome.code === (recipe.versionCode ?? 0) ? parseVersion(outcome.all) : undefined;
  if (version === undefined) return undefined;
  const [major, minor] = recipe.minimum;
  if (version.major < major || (version.major === major && version.minor < minor)) return undefined;
  return { ...run, prefix, libraries, version: version.text };
}

/**
 * @param {ProgramName} name
 * @param {NodeJS.ProcessEnv} [environment]
 */
async function findInPath(name, environment = process.env) {
  const recipe = RECIPES[name];
  const directories = [...(environment['PATH'] ?? '').split(':').filter((each) => path.isAbsolute(each)), ...EXTRA];
  for (const directory of directories) {
    const file = path.join(directory, recipe.file);
    const program = isProgram(file) ? await tryProgram(recipe, file, '/') : undefined;
    if (program !== undefined) return program;
  }
  return undefined;
}

/**
 * Erlang keeps its programs in a directory named after its version.
 *
 * @param {string} prefix
 */
function erlangDirectories(prefix) {
  const erlang = path.join(prefix, 'usr/lib/erlang');
  const names = fs.existsSync(erlang) ? fs.readdirSync(erlang) : [];
  return names.flatMap((name) => (name.startsWith('erts-') ? [path.join('usr/lib/erlang', name, 'bin')] : []));
}

/**
 * @param {ProgramName} name
 * @param {string} prefix where packages have been unpacked
 */
async function findUnpacked(name, prefix) {
  const recipe = RECIPES[name];
  const directories = ['usr/sbin', 'usr/bin', 'usr/lib/chromium', ...erlangDirectories(prefix), 'sbin', 'bin'];
  for (const directory of directories) {
    const file = path.join(prefix, directory, recipe.file);
    const program = isProgram(file) ? await tryProgram(recipe, file, prefix) : undefined;
    if (program !== undefined) return program;
  }
  return undefined;
}

module.exports = { RECIPES, findInPath, findUnpacked, parseVersion };

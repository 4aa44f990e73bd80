'use strict';

/**
 * Packages from another Debian suite than the machine's, with all libraries that the program needs. These include the C
 * library, because the suite's is newer than the machine's. The suite's own loader runs such a program.
 */

const fs = require('node:fs');
const path = require('node:path');
const { apt, parsePrintUris, unpackExactly, updateLists } = require('./apt');

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * The package sources of the machine.
 *
 * @param {string} work
 */
async function mirror(work) {
  const sources = await apt(work, [
    'indextargets',
    '--no-release-info',
    '--format',
    '$(REPO_URI)',
    'Created-By: Packages',
  ]);
  const found = sources.split('\n').find((address) => /\/debian\/?$/.test(address));
  if (found === undefined) throw new Error("this machine's apt knows no Debian mirror");
  return found;
}

/**
 * A private apt configuration that knows only the suite.
 *
 * @param {string} work
 * @param {string} suite
 * @returns {Promise<string[]>} its options
 */
async function openSuite(work, suite) {
  const [status, list, none] = ['status', 'sources.list', 'none'].map((name) => path.join(work, name));
  const source = `deb [signed-by=${KEYRING}] ${await mirror(work)} ${suite} main\n`;
  fs.writeFileSync(path.join(work, 'sources.list'), source);
  fs.writeFileSync(path.join(work, 'status'), '');
  fs.mkdirSync(path.join(work, 'none'));
  return [
    `Dir::State=${work}`,
    // apt sees an empty package database here, so it lists every library.
    `Dir::State::status=${status}`,
    `Dir::Etc::sourcelist=${list}`,
    `Dir::Etc::sourceparts=${none}`,
    `Dir::Etc::preferencesparts=${none}`,
    `Dir::Etc::preferences=${path.join(work, 'no-preferences')}`,
  ];
}

/**
 * The libraries that a package itself depends on, without those of its modules, most of which are not loaded.
 *
 * @param {string} depends the line of a package's record
 */
function librariesIn(depends) {
  const names = depends.split(',').map((each) => each.trim().split(/[\s(|]/)[0] ?? '');
  return [...new Set(names.filter((name) => name.startsWith('lib')))];
}

/**
 * @param {string} work an empty directory of this run alone
 * @param {{ suite: string, packages: readonly string[] }} recipe its first package is the program's
 * @param {string} target
 */
async function unpackFromSuite(work, { suite, packages }, target) {
  const options = await openSuite(work, suite);
  await updateLists(work, options);
  const [program = ''] = packages;
  const record = await apt(work, ['show', '--no-all-versions', program], { command: 'apt-cache', options });
  const [, depends = ''] = /^Depends: (.*)$/m.exec(record) ?? [];
  const plan = ['install', '--print-uris', '--no-install-recommends', ...librariesIn(depends)];
  const libraries = parsePrintUris(await apt(work, plan, { options }));
  if (libraries.length === 0) throw new Error(`apt offers no ${program} of ${suite}`);
  await unpackExactly(work, [...packages, ...libraries.map(({ name }) => name)], target, options);
  // Prints the versions, because a later run may fetch other libraries and fail.
  const versions = libraries.map(({ name, version }) => `${name} ${version}`);
  const [, version = ''] = /^Version: (.*)$/m.exec(record) ?? [];
  fs.writeFileSync(path.join(target, 'packages.txt'), [`${program} ${version}`, ...versions, ''].join('\n'));
}

module.exports = { librariesIn, unpackFromSuite };

'use strict';

/**
 * Which tests run on which Node.
 *
 * The Node that runs npm test runs every test. Each other release of the list runs every unit test; the API tests, which
 * take minutes, are spread over these releases, so that each file runs on one of them. A hash of its path chooses the
 * release, so a file stays with its release. Tests that search for counter-examples, which depend on our code and not
 * on Node, search a quarter as long there; see test/support/search.ts. `--node=24` runs any tests on one release.
 */

const { Failure } = require('./failure');
const { NODE_RELEASES, majorOf } = require('./node-releases');

/**
 * @typedef {import('./node-releases').NodeRelease} NodeRelease
 * @typedef {import('./test-groups').Share} Share
 * @typedef {{ release?: NodeRelease, share?: Share, args: readonly string[] }} TestRun without a release: on the Node
 *   that runs this; with a share: this part of the test files, in groups
 */

const NODE_OPTION = /^--node=(.*)$/;
/** Options of ours; jest gets all others. */
const OWN_OPTION = /^--(unit|quick|node=.*)$/;

/** @typedef {{ version: string, platform: string, arch: string }} Machine */

/** @type {Machine} */
const thisMachine = { version: process.versions.node, platform: process.platform, arch: process.arch };

/** @param {Machine} machine */
const releasesFor = ({ platform, arch }) =>
  NODE_RELEASES.filter(({ integrity }) => platform === 'linux' && integrity[arch] !== undefined);

/** @param {readonly NodeRelease[]} releases @param {string} major */
function chosenRelease(releases, major) {
  const release = releases.find(({ version }) => String(majorOf(version)) === major);
  if (release !== undefined) return release;
  const majors = releases.map(({ version }) => majorOf(version)).join(', ') || 'none for this machine';
  throw new Failure(`--node=${major} is not among the releases that tests can run on: ${majors}.`);
}

/** @param {readonly NodeRelease[]} releases @returns {TestRun[]} */
const runsOn = (releases) =>
  releases.map((release, index) => ({
    release,
    share: { part: index + 1, of: releases.length },
    args: ['--selectProjects', 'unit', 'api'],
  }));

/**
 * @param {readonly string[]} args of npm test
 * @param {Machine} [machine]
 * @returns {TestRun[]}
 */
function planTests(args, machine = thisMachine) {
  const releases = releasesFor(machine);
  if (args.length === 0) {
    const everything = { share: { part: 1, of: 1 }, args: [] };
    return [everything, ...runsOn(releases.filter((other) => majorOf(other.version) !== majorOf(machine.version)))];
  }
  const jestArgs = args.filter((each) => !OWN_OPTION.test(each));
  // Last, because the option takes every word after it for a project.
  const project = args.includes('--unit') ? ['--selectProjects', 'unit'] : [];
  const major = args.map((each) => NODE_OPTION.exec(each)?.[1]).find((each) => each !== undefined);
  const release = major === undefined ? {} : { release: chosenRelease(releases, major) };
  return [{ ...release, args: [...jestArgs, ...project] }];
}

/**
 * Whether tests with a live Asterisk may be among those that run.
 *
 * @param {readonly string[]} args
 */
function wantsAsterisk(args) {
  const paths = args.filter((each) => !each.startsWith('-'));
  return paths.length === 0 || paths.some((each) => /asterisk|cluster/.test(each));
}

/**
 * Whether tests with a Galera cluster may be among those that run: they are among the long ones of npm run faults.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [environment]
 */
function wantsGalera(args, environment = process.env) {
  const paths = args.filter((each) => !each.startsWith('-'));
  const isLong = environment['FAULT_ROUNDS'] !== undefined;
  return isLong && (paths.length === 0 || paths.some((each) => /galera|cluster/.test(each)));
}

/**
 * Whether tests in a browser may be among those that run.
 *
 * @param {readonly string[]} args
 */
function wantsBrowser(args) {
  const paths = args.filter((each) => !each.startsWith('-'));
  return !args.includes('--unit') && (paths.length === 0 || paths.some((each) => /browser/.test(each)));
}

module.exports = { planTests, wantsAsterisk, wantsBrowser, wantsGalera };

'use strict';

/** One project per kind of test: `npm test -- --selectProjects unit` runs one of them. */

const fs = require('node:fs');
const path = require('node:path');
const { dependencies, devDependencies } = require('./package.json');
const { LONG, POLLS, SEARCHES, SHORT } = require('./scripts/lib/test/test-projects');

/** Packages that tests share. Jest's own are loaded by jest, as always. */
const shared = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !/jest|swc/.test(name));

/** @param {string} name @param {string} [folder] */
const project = (name, folder = name) => ({
  displayName: name,
  // One for all projects: jest keeps what it has compiled under it.
  id: 'partyline',
  rootDir: __dirname,
  testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
  testEnvironment: '<rootDir>/test/jest/environment.js',
  transform: { '\\.[cm]?[jt]sx?$': '<rootDir>/test/jest/transform.js' },
  // What the environment itself is made of is loaded as it is.
  transformIgnorePatterns: [
    '<rootDir>/test/jest/',
    '<rootDir>/scripts/lib/build/swc-options',
    `/node_modules/(?!(?:${shared.join('|')})/)`,
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache', '<rootDir>/.data'],
});

/** The tests that search for counter-examples, see test/support/search.ts. */
const searching = () =>
  fs
    .readdirSync(path.join(__dirname, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => fs.readFileSync(path.join(__dirname, 'test', name), 'utf8').includes('/support/search'))
    .map((name) => `<rootDir>/test/${name}`);

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    ...[...SHORT, ...LONG].map((name) => project(name)),
    {
      ...project(POLLS, 'api/chat/polling'),
      testEnvironmentOptions: { variables: { POLL_FAST_PATH: 'off' } },
    },
    {
      ...project(SEARCHES),
      testMatch: searching(),
      testEnvironmentOptions: { variables: { TEST_SEARCH: 'whole' } },
    },
  ],
  testSequencer: '<rootDir>/test/jest/sequencer.js',
  // So long that only what hangs is given up, on a machine that others use too.
  testTimeout: 600_000,
  // Tests wait for other processes: four workers keep two cores busy.
  maxWorkers: 4,
  // Every file leaves something behind in its worker, and collecting garbage in gigabytes takes seconds at a time.
  workerIdleMemoryLimit: '1.5GB',
  // A timer or a connection that a test leaves open must not keep a finished run from ending.
  forceExit: true,
};

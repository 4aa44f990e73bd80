'use strict';

const path = require('node:path');
const { polledBothWays } = require('./scripts/lib/poll-tests');
const { WORKERS } = require('./scripts/lib/test-groups');

/** One project per kind of test, from the fast to the slow; `npm test -- --selectProjects unit` runs one of them. */

const swc = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'commonjs' },
  // In files of their own: inline they would be two thirds of what is read and compiled for each test file.
  sourceMaps: true,
};
const TRANSFORM = '<rootDir>/scripts/lib/jest-transform.js';
/** Packages that are modules of the other kind, which jest does not load as they are. */
const MODULES = '(?:openid-client|oauth4webapi|jose)';

/** @type {import('jest').Config} */
const shared = {
  // One for all projects: jest keeps what it has transformed under it and the keys of jest-transform.js.
  id: 'partyline',
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [TRANSFORM, swc],
    [`/node_modules/${MODULES}/.+\\.js$`]: [TRANSFORM, { ...swc, jsc: { target: 'es2023' } }],
  },
  transformIgnorePatterns: [`/node_modules/(?!${MODULES}/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache', '<rootDir>/.data'],
};

/** @param {string} name @param {string[]} testMatch */
function project(name, testMatch) {
  return { ...shared, displayName: name, testMatch };
}

/** Where npm test has put the groups of test files, if it runs them in groups; see scripts/lib/test-groups.js. */
const groups = process.env['TEST_GROUPS'] ?? '';

/** @param {string} name @param {string[]} testMatch */
function groupedProject(name, testMatch) {
  if (groups === '') return project(name, testMatch);
  // Jest looks for test files below the roots alone, and finds modules anywhere.
  return { ...project(name, ['**/*.test.js']), roots: [path.join(groups, name)], modulePathIgnorePatterns: [] };
}

/** Of projects whose tests hold answers against the OpenAPI document. */
const documented = {
  globalSetup: '<rootDir>/test/support/write-api-document.ts',
  globalTeardown: '<rootDir>/test/support/remove-api-document.ts',
};

/** The tests of events once more, with every poll answered by the Koa application. */
const pollsThroughKoa = {
  ...groupedProject(
    'polls-through-koa',
    polledBothWays.map((path) => `<rootDir>/${path}`),
  ),
  setupFiles: ['<rootDir>/scripts/lib/polls-through-koa.js'],
};

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    groupedProject('unit', ['<rootDir>/test/unit/**/*.test.ts', '<rootDir>/test/*.test.ts']),
    ...['store', 'actors', 'api', 'cluster', 'start', 'security'].map((name) => ({
      ...groupedProject(name, [`<rootDir>/test/${name}/**/*.test.ts`]),
      ...documented,
    })),
    { ...project('browser', ['<rootDir>/test/browser/**/*.test.ts']), ...documented },
    { ...pollsThroughKoa, ...documented },
  ],
  // So long that only what hangs is given up, on a machine that others use too.
  testTimeout: 900_000,
  testSequencer: '<rootDir>/scripts/lib/slow-tests-first.js',
  // Tests wait for others' processes: with one fewer, two cores were idle for 7 % of the time.
  maxWorkers: WORKERS,
  // Every file leaves something behind in its worker, and collecting garbage in gigabytes takes seconds at a time.
  workerIdleMemoryLimit: '1GB',
  // On a busy machine a worker with a large heap may take longer to exit than jest's half second. One that something
  // keeps alive is still reported.
  workerGracefulExitTimeout: 10_000,
  reporters: ['default', '<rootDir>/scripts/lib/count-reporter.js', '<rootDir>/scripts/lib/overdue-reporter.js'],
};

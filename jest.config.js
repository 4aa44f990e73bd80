'use strict';

/**
 * One project per kind of test: `npm test -- --selectProjects unit` runs one of them. The lists in scripts/test.js say
 * which of them npm test and npm run test:long consist of.
 */

const { dependencies, devDependencies } = require('./package.json');

/** Packages that tests share. Jest's own are loaded by jest, as always. */
const shared = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !/jest|swc/.test(name));

/** @param {string} name @param {string[]} [testMatch] */
const project = (name, testMatch = [`<rootDir>/test/${name}/**/*.test.ts`]) => ({
  displayName: name,
  // One for all projects: jest keeps what it has compiled under it.
  id: 'partyline',
  rootDir: __dirname,
  testMatch,
  testEnvironment: '<rootDir>/test/jest/environment.js',
  transform: { '\\.[cm]?[jt]sx?$': '<rootDir>/test/jest/transform.js' },
  // What the environment itself is made of is loaded as it is.
  transformIgnorePatterns: [
    '<rootDir>/test/jest/',
    '<rootDir>/scripts/lib/swc-options',
    `/node_modules/(?!(?:${shared.join('|')})/)`,
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache', '<rootDir>/.data'],
});

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('unit', ['<rootDir>/test/unit/**/*.test.ts', '<rootDir>/test/*.test.ts']),
    ...['store', 'actors', 'api', 'access', 'smoke', 'cluster', 'start', 'browser', 'security', 'vendors'].map((name) =>
      project(name),
    ),
    {
      // The tests about polling once more, with every poll answered by the Koa application.
      ...project('polls-through-koa', ['<rootDir>/test/api/chat/polling/**/*.test.ts']),
      testEnvironmentOptions: { variables: { POLL_FAST_PATH: 'off' } },
    },
  ],
  // So long that only what hangs is given up, on a machine that others use too.
  testTimeout: 600_000,
  // Tests wait for other processes: four workers keep two cores busy.
  maxWorkers: 4,
  // Every file leaves something behind in its worker, and collecting garbage in gigabytes takes seconds at a time.
  workerIdleMemoryLimit: '1.5GB',
  // A timer or a connection that a test leaves open must not keep a finished run from ending.
  forceExit: true,
};

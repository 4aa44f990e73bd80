'use strict';

/** One project per kind of test, from the fast to the slow; `npm test -- --selectProjects unit` runs one of them. */

/** @type {import('jest').Config} */
const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache', '<rootDir>/.data'],
};

const MINUTE = 60_000;

/**
 * @param {string} name
 * @param {string[]} testMatch
 * @param {number} testTimeout
 */
function project(name, testMatch, testTimeout) {
  return { ...shared, displayName: name, testMatch, testTimeout };
}

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('unit', ['<rootDir>/test/unit/**/*.test.ts', '<rootDir>/test/*.test.ts'], MINUTE / 2),
    project('store', ['<rootDir>/test/store/**/*.test.ts'], MINUTE / 2),
    project('actors', ['<rootDir>/test/actors/**/*.test.ts'], MINUTE / 2),
    project('api', ['<rootDir>/test/api/**/*.test.ts'], MINUTE / 2),
    project('cluster', ['<rootDir>/test/cluster/**/*.test.ts'], 2 * MINUTE),
    project('start', ['<rootDir>/test/start/**/*.test.ts'], 2 * MINUTE),
  ],
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/scripts/lib/count-reporter.js'],
};

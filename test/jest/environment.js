'use strict';

/** The environment of test files: one for all files of a worker, so that they share the modules of the server. */

const { TestEnvironment } = require('jest-environment-node');
const { sharedModules } = require('./shared-modules');

/** @typedef {import('@jest/environment').JestEnvironmentConfig} Config */
/** @typedef {import('@jest/environment').EnvironmentContext} Context */

class WorkerEnvironment extends TestEnvironment {
  /** @type {Set<symbol>} */
  #symbols;
  /** @type {NodeJS.ProcessEnv} */
  #variables = {};

  /** @param {Config} config @param {Context} context */
  constructor(config, context) {
    super(config, context);
    const realm = /** @type {import('node:vm').Context} */ (this.getVmContext());
    this.global['loadShared'] = sharedModules(realm);
    /** @param {string} file */
    this.global['loadFresh'] = (file) => sharedModules(realm)(file);
    this.#symbols = new Set(Object.getOwnPropertySymbols(this.global));
  }

  /** @param {Record<string, unknown>} options of the project; `variables` are added to the environment variables */
  begin({ variables }) {
    this.#variables = { ...this.global.process.env };
    Object.assign(this.global.process.env, variables);
  }

  /** Removes what jest and the test file have left; the modules stay. @override */
  async teardown() {
    this.fakeTimersModern?.useRealTimers();
    this.moduleMocker?.restoreAllMocks();
    const { env } = this.global.process;
    for (const name of Object.keys(env)) if (!(name in this.#variables)) delete env[name];
    Object.assign(env, this.#variables);
    for (const symbol of Object.getOwnPropertySymbols(this.global)) {
      if (!this.#symbols.has(symbol)) Reflect.deleteProperty(this.global, symbol);
    }
  }
}

/** @type {WorkerEnvironment | undefined} */
let shared;

/** Jest makes one for each test file, and gets the same for all of them. */
module.exports = class SharedEnvironment {
  /** @param {Config} config @param {Context} context */
  constructor(config, context) {
    shared ??= new WorkerEnvironment(config, context);
    shared.begin(config.projectConfig.testEnvironmentOptions);
    // oxlint-disable-next-line no-constructor-return -- the documented way to make an environment is a constructor
    return shared;
  }
};

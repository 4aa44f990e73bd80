'use strict';

/** The environment of test files: one for all files of a worker, so that they share the modules of the server. */

const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');
const { sharedModules } = require('./shared-modules');

/** @typedef {import('node:vm').Context} Context */

/** @type {SharedEnvironment | undefined} */
let shared;

class SharedEnvironment extends NodeEnvironment {
  /** @type {Set<symbol>} */
  #symbols = new Set();
  /** @type {NodeJS.ProcessEnv} */
  #variables = {};

  /**
   * Jest makes an environment for each test file. All but the first are the first one: a constructor may return another
   * object.
   *
   * @param {import('@jest/environment').JestEnvironmentConfig} config
   * @param {import('@jest/environment').EnvironmentContext} context
   */
  constructor(config, context) {
    if (shared === undefined) {
      super(config, context);
      this.#openModules();
      shared = this;
    }
    shared.#setVariables(config.projectConfig.testEnvironmentOptions);
    // oxlint-disable-next-line no-constructor-return
    return shared;
  }

  #openModules() {
    const vmContext = /** @type {Context} */ (this.getVmContext());
    this.global['loadShared'] = sharedModules(vmContext);
    /** @param {string} file */
    this.global['loadFresh'] = (file) => sharedModules(vmContext)(file);
    this.#symbols = new Set(Object.getOwnPropertySymbols(this.global));
  }

  /** @param {Record<string, unknown>} options of the project; `variables` are added to the environment variables */
  #setVariables({ variables }) {
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

module.exports = SharedEnvironment;

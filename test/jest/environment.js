'use strict';

/** The jest environment of test files: one for all files of a worker, so that they share the modules of the server. */

const { TestEnvironment } = require('jest-environment-node');
const { sharedModules } = require('./shared-modules');

/** @typedef {import('@jest/environment').JestEnvironmentConfig} Config */
/** @typedef {import('@jest/environment').EnvironmentContext} Context */

class WorkerEnvironment extends TestEnvironment {
  /** @type {Record<string | symbol, PropertyDescriptor>} as they are before any test file */
  #globals;
  /** @type {NodeJS.ProcessEnv} */
  #variables = {};
  /** @type {unknown} */
  #exit;

  /** @param {Config} config @param {Context} context */
  constructor(config, context) {
    super(config, context);
    const realm = /** @type {import('node:vm').Context} */ (this.getVmContext());
    this.global['loadShared'] = sharedModules(realm);
    /** @param {string} file */
    this.global['loadFresh'] = (file) => sharedModules(realm)(file);
    this.#globals = Object.getOwnPropertyDescriptors(this.global);
    this.#exit = Reflect.get(this.global.process, 'exit');
  }

  /** @param {Record<string, unknown>} options of the project; `variables` are added to the environment variables */
  begin({ variables }) {
    this.#variables = { ...this.global.process.env };
    Object.assign(this.global.process.env, variables);
  }

  /** Restores what jest, the test file and polyfills have changed; the modules stay. @override */
  async teardown() {
    this.fakeTimersModern?.useRealTimers();
    this.moduleMocker?.restoreAllMocks();
    // Each file puts another function around it, which holds the file and all those before it.
    Reflect.set(this.global.process, 'exit', this.#exit);
    const { env } = this.global.process;
    for (const name of Object.keys(env)) if (!(name in this.#variables)) delete env[name];
    Object.assign(env, this.#variables);
    for (const key of Reflect.ownKeys(this.global)) {
      const before = this.#globals[key];
      // Jest keeps its state under symbols. Names may belong to modules.
      if (before === undefined && typeof key === 'symbol') Reflect.deleteProperty(this.global, key);
      else if (before?.configurable === true) Reflect.defineProperty(this.global, key, before);
    }
    // Jest notes here what it has to clear with the environment: whole test files, of which nothing is needed any more.
    const { _globalProxy: noted } = /** @type {{ _globalProxy?: { leftovers: unknown[] } }} */ (
      /** @type {unknown} */ (this)
    );
    if (noted) noted.leftovers = [];
  }
}

/** @type {WorkerEnvironment | undefined} */
let shared;

/** Jest creates an environment for each test file, and gets the same one for all of them. */
module.exports = class SharedEnvironment {
  /** @param {Config} config @param {Context} context */
  constructor(config, context) {
    shared ??= new WorkerEnvironment(config, context);
    shared.begin(config.projectConfig.testEnvironmentOptions);
    // oxlint-disable-next-line no-constructor-return -- the documented way to make an environment is a constructor
    return shared;
  }
};

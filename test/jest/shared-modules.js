'use strict';

/**
 * Loads modules once for all test files of a jest worker.
 *
 * Jest loads every module anew for each test file. For the whole server that takes longer than most test files do. So
 * the environment (environment.js) has this CommonJS loader, which keeps what it has loaded. Modules run in the realm of
 * the tests, so that an Error of one is an Error of the other.
 */

const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { createRequire, isBuiltin } = require('node:module');
const { readCode } = require('./read-code');

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];

/** @typedef {{ exports: any, id: string, filename: string, loaded: boolean, children: never[], paths: string[] }} Loaded */

/**
 * @param {string} id
 * @param {string} from
 */
function resolve(id, from) {
  if (/^\.{1,2}(\/|$)/.test(id)) {
    const base = path.resolve(path.dirname(from), id);
    const found = [`${base}.ts`, `${base}.tsx`, path.join(base, 'index.ts')].find((each) => fs.existsSync(each));
    if (found !== undefined) return found;
  }
  return createRequire(from).resolve(id);
}

/**
 * @param {vm.Context} context where the modules run
 * @returns {(file: string) => any} gives the exports of a file
 */
function sharedModules(context) {
  /** @type {Map<string, Loaded>} */
  const modules = new Map();
  const parseJson = vm.runInContext('JSON.parse', context);

  /** @param {Loaded} entry */
  function run(entry) {
    const file = entry.filename;
    if (file.endsWith('.json')) {
      entry.exports = parseJson(fs.readFileSync(file, 'utf8'));
    } else if (file.endsWith('.node')) {
      entry.exports = require(file);
    } else {
      const { code, filename } = readCode(file);
      const body = vm.compileFunction(code, PARAMETERS, {
        filename,
        parsingContext: context,
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
      body.call(entry.exports, entry.exports, requireFrom(file), entry, file, path.dirname(file));
    }
    entry.loaded = true;
  }

  /** @param {string} file */
  function load(file) {
    const known = modules.get(file);
    if (known) return known.exports;
    /** @type {Loaded} */
    const entry = { exports: {}, id: file, filename: file, loaded: false, children: [], paths: [] };
    modules.set(file, entry);
    try {
      run(entry);
    } catch (error) {
      modules.delete(file);
      throw error;
    }
    return entry.exports;
  }

  /** @param {string} from */
  function requireFrom(from) {
    /** @param {string} id */
    const requireModule = (id) => (isBuiltin(id) ? require(id) : load(resolve(id, from)));
    /** @param {string} id */
    const resolveModule = (id) => (isBuiltin(id) ? id : resolve(id, from));
    return Object.assign(requireModule, { resolve: resolveModule, cache: {}, extensions: {}, main: undefined });
  }

  return load;
}

module.exports = { sharedModules };

'use strict';

/** The code that jest runs for a file: compiled test files, and for all others the module that the worker shares. */

const { createHash } = require('node:crypto');
const { transformSync, version } = require('@swc/core');
const { swcOptions } = require('../../scripts/lib/build/swc-options');

const isTest = (/** @type {string} */ file) => file.endsWith('.test.ts');

module.exports = {
  /** @param {string} text @param {string} file */
  process(text, file) {
    if (!isTest(file)) return { code: `module.exports = loadShared(${JSON.stringify(file)});` };
    return transformSync(text, { ...swcOptions(file), sourceMaps: true });
  },
  /** @param {string} text @param {string} file */
  getCacheKey(text, file) {
    const key = JSON.stringify([version, swcOptions(file), isTest(file) ? text : '']);
    return createHash('sha256').update(key).digest('hex');
  },
};

'use strict';

/**
 * TypeScript to JavaScript for jest, as @swc/jest does it, but kept for all projects and all releases of Node.
 *
 * The key under which @swc/jest has jest keep a file holds the whole configuration of a project. So each project of each
 * run would transform all sources again, and write them down again. What comes out depends on the text, its path and
 * the options of swc alone.
 */

const { createTransformer } = require('@swc/jest');

/** @typedef {import('@jest/transform').SyncTransformer} SyncTransformer */

module.exports = {
  /** @param {import('@swc/core').Options} options */
  createTransformer(options) {
    const swc = /** @type {Required<SyncTransformer>} */ (createTransformer(options));
    return {
      ...swc,
      /** @type {typeof swc.getCacheKey} */
      // The whole path, because source maps name it.
      getCacheKey: (text, path, asked) => swc.getCacheKey(text, path, { ...asked, configString: path }),
    };
  },
};

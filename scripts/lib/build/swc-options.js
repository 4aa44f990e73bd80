'use strict';

/** How TypeScript becomes JavaScript, for dist/ and for jest: types are only removed here. `npm test` checks them. */

/** @param {string} file @returns {import('@swc/core').Options} */
const swcOptions = (file) => ({
  filename: file,
  jsc: { parser: { syntax: 'typescript', tsx: file.endsWith('x') }, target: 'es2023' },
  // Keeps dynamic imports, which load packages that are ES modules.
  module: { type: 'commonjs', ignoreDynamic: true },
  swcrc: false,
});

module.exports = { swcOptions };

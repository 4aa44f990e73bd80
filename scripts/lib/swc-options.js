'use strict';

/** How TypeScript becomes JavaScript, in dist/ and in jest: types are only left out here. npm test checks them. */

/** @param {string} file @returns {import('@swc/core').Options} */
const swcOptions = (file) => ({
  filename: file,
  jsc: { parser: { syntax: 'typescript', tsx: file.endsWith('x') }, target: 'es2023' },
  // A dynamic import stays one: it loads packages that are ES modules.
  module: { type: 'commonjs', ignoreDynamic: true },
  swcrc: false,
});

module.exports = { swcOptions };

'use strict';

/** How TypeScript becomes JavaScript, in dist/ and in jest: types are only left out here. npm test checks them. */

/** @type {import('@swc/core').Options} */
module.exports = {
  jsc: { parser: { syntax: 'typescript', tsx: true }, target: 'es2023' },
  // A dynamic import stays one: it loads packages that are ES modules.
  module: { type: 'commonjs', ignoreDynamic: true },
  swcrc: false,
};

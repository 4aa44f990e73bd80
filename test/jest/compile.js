'use strict';

/** Turns TypeScript and ES modules into CommonJS, as jest runs it. */

const fs = require('node:fs');
const path = require('node:path');
const { transformSync } = require('@swc/core');

/** @type {import('@swc/core').Options} */
const OPTIONS = {
  jsc: { parser: { syntax: 'typescript', tsx: true }, target: 'es2023' },
  module: { type: 'commonjs' },
  swcrc: false,
};

/** @type {Map<string, boolean>} */
const moduleFolders = new Map();

/** Whether the nearest package.json says that .js files are ES modules. @param {string} folder @returns {boolean} */
function holdsModules(folder) {
  let known = moduleFolders.get(folder);
  if (known === undefined) {
    const description = path.join(folder, 'package.json');
    if (fs.existsSync(description)) known = JSON.parse(fs.readFileSync(description, 'utf8')).type === 'module';
    else known = folder !== path.dirname(folder) && holdsModules(path.dirname(folder));
    moduleFolders.set(folder, known);
  }
  return known;
}

/** @param {string} file */
function isEsModule(file) {
  return /\.(tsx?|mjs)$/.test(file) || (file.endsWith('.js') && holdsModules(path.dirname(file)));
}

/** @param {string} file @returns {string} */
function toCommonJs(file) {
  const text = fs.readFileSync(file, 'utf8');
  if (!isEsModule(file)) return text.replace(/^#!.*/, '');
  return transformSync(text, { ...OPTIONS, filename: file }).code;
}

module.exports = { OPTIONS, toCommonJs };

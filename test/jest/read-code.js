'use strict';

/** The code that runs for a module: CommonJS, compiled if the file is TypeScript or an ES module. */

const fs = require('node:fs');
const path = require('node:path');
const { transformSync } = require('@swc/core');
const { swcOptions } = require('../../scripts/lib/build/swc-options');

const root = path.join(__dirname, '../..');

/** @type {Map<string, boolean>} */
const moduleFolders = new Map();

/** Whether the nearest package.json declares .js files to be ES modules. @param {string} folder @returns {boolean} */
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

/**
 * @param {string} file
 * @returns {{ code: string, filename: string }} and the name under which jest finds a source map of the code
 */
function readCode(file) {
  // Built before the tests run, with source maps. Not the pages, which Vite builds.
  const built = path.join(root, 'dist', path.relative(root, file)).replace(/\.ts$/, '.js');
  if (file.endsWith('.ts') && fs.existsSync(built)) return { code: fs.readFileSync(built, 'utf8'), filename: built };
  const text = fs.readFileSync(file, 'utf8');
  if (!isEsModule(file)) return { code: text.replace(/^#!.*/, ''), filename: file };
  return { code: transformSync(text, swcOptions(file)).code, filename: file };
}

module.exports = { readCode };

'use strict';

/** Copies built pages to the directory that nodes serve them from. */

const fs = require('node:fs');
const path = require('node:path');
const { filesBelow } = require('./stamps');

/** @param {string} name index.html, by which nodes notice a build, comes last; each page comes after what it asks for */
const rankOf = (name) => (name === 'index.html' ? 2 : name.endsWith('.html') ? 1 : 0);

/**
 * Nodes may serve the pages meanwhile, so every file is there before the page that requests it. Files that only the
 * previous build had are deleted last; an old page that requests one of them reloads itself.
 *
 * @param {string} from
 * @param {string} to
 */
function putPages(from, to) {
  const names = filesBelow(from).map((file) => path.relative(from, file));
  for (const name of names.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const place = path.join(to, name);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.copyFileSync(path.join(from, name), `${place}.new`);
    fs.renameSync(`${place}.new`, place);
  }
  for (const file of filesBelow(to)) if (!names.includes(path.relative(to, file))) fs.rmSync(file);
}

module.exports = { putPages };

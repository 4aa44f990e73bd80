'use strict';

/**
 * Where things are in the checkout.
 *
 * These files also run from dist/scripts/lib (the benchmarks import them there), so the root is found by walking up to
 * package.json instead of counting parent directories.
 */

const fs = require('node:fs');
const path = require('node:path');

/** @param {string} from */
function findRoot(from) {
  for (let at = from; ; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, 'package.json'))) return at;
    if (at === path.dirname(at)) throw new Error(`No package.json above ${from}`);
  }
}

const root = findRoot(__dirname);
const cache = path.join(root, '.cache');

/** @param {string} directory made with its parents, readable by its owner alone */
function privateDirectory(directory) {
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

/**
 * Writes a file that only its owner may read. The write is atomic: a reader sees the old text or the new one. Writes
 * nothing if the file has that text, which also works on a full disk.
 *
 * @param {string} file
 * @param {string} text
 */
function writePrivate(file, text) {
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  const draft = `${file}.${process.pid}.new`;
  fs.rmSync(draft, { force: true });
  fs.writeFileSync(draft, text, { mode: 0o600 });
  fs.renameSync(draft, file);
}

module.exports = { root, cache, privateDirectory, writePrivate };

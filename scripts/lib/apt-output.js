'use strict';

/** Reads what `apt-get install --print-uris` prints. */

/** @typedef {{ name: string, version: string, bytes: number }} AptPackage */

// 'address' file size [hash] – the file is name_version_architecture.deb with %-escapes in the version.
const LINE = /^'[^']+' ([^_\s]+)_([^_\s]+)_[^_\s]+\.deb (\d+)/;

/**
 * @param {string} text
 * @returns {AptPackage[]} every package apt would fetch; lines that are no packages are skipped
 */
function parsePrintUris(text) {
  const packages = [];
  for (const line of text.split('\n')) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const [, name = '', version = '', bytes = '0'] = match;
    packages.push({ name, version: decodeURIComponent(version), bytes: Number(bytes) });
  }
  return packages;
}

/**
 * apt's own error message, as one line.
 *
 * @param {string} text
 */
function firstError(text) {
  const line = text.split('\n').find((each) => each.startsWith('E: '));
  return line === undefined ? 'apt-get failed' : line.slice(3);
}

module.exports = { parsePrintUris, firstError };

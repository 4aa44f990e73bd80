'use strict';

/**
 * Finds what a lockfile lacks before it can be trusted on every platform: native packages of other platforms that it
 * does not name, and entries without a checksum.
 *
 * npm leaves what its registry does not have out of the lockfile, and `npm ci` then refuses the lockfile on machines
 * whose registry has it. Naming such a package without its checksum would let npm install whatever it is given there.
 * The way out is a version whose packages the registry has for all platforms.
 */

const { placeOf } = require('./packages-in-pages');

/** @typedef {import('./packages-in-pages').Entry & { version?: string, integrity?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], optionalDependencies?: Record<string, string> }} Entry */

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/** @param {string} name such as @swc/core-linux-arm64-musl */
function isNative(name) {
  const words = name.split(/[-/]/);
  return words.some((word) => SYSTEMS.includes(word)) && words.some((word) => PROCESSORS.includes(word));
}

/**
 * @param {{ packages: Record<string, Entry> }} lockfile
 * @returns {string[]} one line for each gap, sorted
 */
function lockfileGaps({ packages }) {
  /** @type {Set<string>} */
  const gaps = new Set();
  for (const [place, entry] of Object.entries(packages)) {
    const isPackage = place !== '' && entry.link !== true;
    if (isPackage && !entry.integrity?.startsWith('sha512-')) gaps.add(`${place}@${entry.version} has no checksum`);
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!isNative(name) || packages[placeOf(packages, place, name)] !== undefined) continue;
      gaps.add(`${name}@${version}, which ${place} wants on another platform, is not named`);
    }
  }
  return [...gaps].sort((a, b) => (a < b ? -1 : 1));
}

module.exports = { lockfileGaps, isNative };

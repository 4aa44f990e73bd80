'use strict';

/**
 * Completes a lockfile that was written against a registry which lacks the native packages of other platforms.
 *
 * npm leaves what it cannot find out of the lockfile, and `npm ci` then refuses the lockfile on every machine, this one
 * included. Naming those packages with their version and platform is enough: npm passes over them here, and fetches the
 * right one where it is wanted.
 */

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} Entry */

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** @param {readonly string[]} words */
function libcOf(words) {
  if (words.some((word) => word.startsWith('musl'))) return { libc: ['musl'] };
  if (words.some((word) => word.startsWith('gnu'))) return { libc: ['glibc'] };
  return {};
}

/** @param {string} name such as @swc/core-linux-arm64-musl */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.findLast((word) => PROCESSORS.includes(word));
  return os === undefined || cpu === undefined ? undefined : { cpu: [cpu], ...libcOf(words), os: [os] };
}

/**
 * Whether a package that is required from a place in the tree is in the lockfile, there or further up.
 *
 * @param {Record<string, Entry>} packages
 * @param {string} from
 * @param {string} name
 */
function isLocked(packages, from, name) {
  const levels = from.split('/node_modules/');
  return (
    levels.some((_, depth) => {
      const place = levels.slice(0, levels.length - depth).join('/node_modules/');
      return packages[`${place}/node_modules/${name}`] !== undefined;
    }) || packages[`node_modules/${name}`] !== undefined
  );
}

/**
 * @param {{ packages: Record<string, Entry> }} lockfile
 * @returns {string[]} the packages it has added
 */
function completeLockfile(lockfile) {
  const added = [];
  for (const [from, entry] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const platform = platformOf(name);
      if (platform === undefined || !/^\d/.test(version) || isLocked(lockfile.packages, from, name)) continue;
      const dev = entry.dev === true ? { dev: true } : {};
      lockfile.packages[`node_modules/${name}`] = { version, ...dev, optional: true, ...platform };
      added.push(name);
    }
  }
  const sorted = Object.entries(lockfile.packages).sort(([a], [b]) => (a < b ? -1 : 1));
  lockfile.packages = Object.fromEntries(sorted);
  return added;
}

module.exports = { completeLockfile, platformOf };

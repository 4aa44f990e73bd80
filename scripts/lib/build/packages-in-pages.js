'use strict';

/** The packages that are bundled into the pages: they are shipped, although npm treats them as development tools. */

/**
 * @typedef {{ dependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Entry
 * @typedef {Record<string, Entry>} Packages of the lockfile, by their places
 */

/** The packages that the pages import. */
const IN_PAGES = '@mantine/core qrcode.react react react-dom socket.io-client uplot virtua wouter zustand'.split(' ');

/**
 * Where a package required from a place in the tree is installed: there or further up.
 *
 * @param {Packages} packages @param {string} from @param {string} name
 */
function placeOf(packages, from, name) {
  for (let level = from; ; level = level.slice(0, Math.max(0, level.lastIndexOf('/node_modules/')))) {
    const place = `${level}/node_modules/${name}`.replace(/^\//, '');
    if (packages[place] !== undefined || level === '') return place;
  }
}

/** @param {Packages} packages @returns {Set<string>} the places of all packages that pages may contain */
function placesInPages(packages) {
  /** @type {Set<string>} */
  const places = new Set();
  const waiting = IN_PAGES.map((name) => placeOf(packages, '', name));
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const entry = packages[place];
    if (entry === undefined || places.has(place)) continue;
    places.add(place);
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
    );
    const from = place;
    waiting.push(...[...Object.keys(entry.dependencies ?? {}), ...peers].map((name) => placeOf(packages, from, name)));
  }
  return places;
}

module.exports = { IN_PAGES, placeOf, placesInPages };

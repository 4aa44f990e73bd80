'use strict';

/** The software bill of materials, read only from the lockfile: the same lockfile gives the same bytes everywhere. */

const { createHash } = require('node:crypto');
const { placesInPages } = require('./packages-in-pages');

/**
 * @typedef {import('./packages-in-pages').Entry & { version?: string, name?: string, integrity?: string,
 *   license?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, link?: boolean }} Entry
 * @typedef {{ name: string, version: string, packages: Record<string, Entry> }} Lockfile
 * @typedef {{ name: string, version: string, licence: string, sha512: string, scope: 'required' | 'optional' | 'excluded' }} Part
 */

/** Packages whose own files state their licence more precisely than package.json, as a person has checked. */
const READ_BY_HAND = new Map([
  ['base64-arraybuffer', 'MIT'],
  ['busboy', 'MIT'],
  ['component-bind', 'MIT'],
  ['component-inherit', 'MIT'],
  // The data are under the first licence, the pictures (Noto Emoji) under the second.
  ['emoji-datasource-google', 'MIT AND Apache-2.0'],
  ['indexof', 'MIT'],
  ['streamsearch', 'MIT'],
  ['to-array', 'MIT'],
  ['xmlhttprequest-ssl', 'MIT'],
]);

/**
 * Permissive licences. Software under other licences is shipped only by decision. The last two are used by one package
 * each: browser data, and code derived from Python.
 */
const PERMISSIVE =
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT MIT-0 Unlicense Zlib CC-BY-4.0 PSF-2.0';
/**
 * Packages that are shipped by decision, each as it is published: libvips, a shared library that operators can replace
 * (docs/adr/0027-pictures-in-a-process.md), and web-push, whose licence concerns its own files alone.
 */
const DECIDED = [
  { name: /^@img\/sharp-(?:libvips-[\w-]+|wasm32|win32-\w+)$/, licence: 'LGPL-3.0-or-later' },
  { name: /^web-push$/, licence: 'MPL-2.0' },
];

/** @param {string} a @param {string} b */
const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** @param {Entry} entry @param {boolean} isInPages @returns {Part['scope']} */
function scopeOf(entry, isInPages) {
  if (isInPages) return 'required';
  // CycloneDX marks tools and tests, which are not in the product, as excluded.
  if (entry.dev === true) return 'excluded';
  // devOptional: a tool needs it, and an optional part of the product may need it too.
  return entry.optional === true || entry.devOptional === true ? 'optional' : 'required';
}

const RANK = { required: 0, optional: 1, excluded: 2 };

/**
 * @param {Lockfile} lockfile
 * @returns {Part[]} each version of each package once, sorted
 */
function partsOf({ packages }) {
  /** @type {Map<string, Part>} */
  const parts = new Map();
  const inPages = placesInPages(packages);
  for (const [place, entry] of Object.entries(packages)) {
    if (place === '' || entry.link === true) continue;
    const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const part = {
      name,
      version: entry.version ?? '',
      licence: READ_BY_HAND.get(name) ?? entry.license ?? 'unknown',
      sha512: Buffer.from((entry.integrity ?? '').replace(/^sha512-/, ''), 'base64').toString('hex'),
      scope: scopeOf(entry, inPages.has(place)),
    };
    const key = `${name}@${part.version}`;
    const before = parts.get(key);
    if (before === undefined || RANK[part.scope] < RANK[before.scope]) parts.set(key, part);
  }
  return [...parts.entries()].sort(([a], [b]) => byText(a, b)).map(([, part]) => part);
}

/** @param {Part} part */
const packageUrl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** @param {Part} part */
function componentOf(part) {
  const isExpression = / (AND|OR) /.test(part.licence);
  return {
    type: 'library',
    'bom-ref': packageUrl(part),
    name: part.name,
    version: part.version,
    purl: packageUrl(part),
    scope: part.scope,
    hashes: [{ alg: 'SHA-512', content: part.sha512 }],
    licenses: [isExpression ? { expression: part.licence } : { license: { id: part.licence } }],
  };
}

/** @param {string} text the lockfile */
function serialNumber(text) {
  const hash = createHash('sha256').update(text).digest('hex');
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return `urn:uuid:${uuid}`;
}

/** @param {string} text the lockfile @returns the document of CycloneDX 1.5, without the time of its making */
function billOfMaterials(text) {
  const lockfile = /** @type {Lockfile} */ (JSON.parse(text));
  const { name, version } = lockfile;
  const own = { type: 'application', 'bom-ref': `pkg:npm/${name}@${version}`, name, version };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serialNumber(text),
    version: 1,
    metadata: { component: { ...own, licenses: [{ license: { id: 'MIT' } }] } },
    components: partsOf(lockfile).map(componentOf),
  };
}

/** @param {string} licence an SPDX expression of our lockfile */
function isPermissive(licence) {
  const words = licence.replaceAll(/[()]/g, '').split(/ AND | OR /);
  return words.every((word) => PERMISSIVE.split(' ').includes(word));
}

/** @param {Pick<Part, 'name' | 'licence'>} part */
const mayBeShipped = ({ name, licence }) =>
  isPermissive(licence) ||
  DECIDED.some((decided) => decided.name.test(name) && isPermissive(licence.replace(decided.licence, 'MIT')));

/** @param {string} text the lockfile @returns {string} a table: what is shipped, then the tools */
function listOfLicences(text) {
  const parts = partsOf(/** @type {Lockfile} */ (JSON.parse(text)));
  const table = (/** @type {Part[]} */ rows) => {
    const licences = [...new Set(rows.map((part) => part.licence))].sort(byText);
    return licences.map((licence) => {
      const names = rows.filter((part) => part.licence === licence).map((part) => `${part.name} ${part.version}`);
      return `| ${licence} | ${names.length} | ${names.join(', ')} |`;
    });
  };
  const heading = ['', '| licence | packages | |', '| --- | --- | --- |'];
  const shipped = ['## What is shipped', ...heading, ...table(parts.filter((part) => part.scope !== 'excluded')), ''];
  const tools = [
    '## Tools of development',
    ...heading,
    ...table(parts.filter((part) => part.scope === 'excluded')),
    '',
  ];
  return ['# Licences', '', ...shipped, ...tools].join('\n');
}

module.exports = { billOfMaterials, isPermissive, listOfLicences, mayBeShipped, partsOf };

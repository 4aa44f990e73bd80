'use strict';

/**
 * npm run sbom [-- directory]: writes the bill of materials, sbom.cdx.json (CycloneDX) and licences.md, to the
 * directory, dist/ by default. Both are generated from package-lock.json alone, without a network and without
 * node_modules.
 */

const fs = require('node:fs');
const path = require('node:path');
const { billOfMaterials, listOfLicences, mayBeShipped, partsOf } = require('./lib/build/bill-of-materials');
const { root } = require('./lib/paths');

const text = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const directory = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
fs.mkdirSync(directory, { recursive: true });
fs.writeFileSync(path.join(directory, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(text), null, 2)}\n`);
fs.writeFileSync(path.join(directory, 'licences.md'), listOfLicences(text));

const shipped = partsOf(JSON.parse(text)).filter((part) => part.scope !== 'excluded');
const strict = shipped.filter((part) => !mayBeShipped(part));
console.log(`${shipped.length} packages are shipped; sbom.cdx.json and licences.md are in ${directory}`);
for (const part of strict) console.log(`look at the licence of ${part.name}@${part.version}: ${part.licence}`);
if (strict.length > 0) process.exitCode = 1;

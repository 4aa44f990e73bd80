'use strict';

/** node scripts/lockfile.js: run after `npm install` has changed package-lock.json; see lib/platform-packages.js. */

const fs = require('node:fs');
const path = require('node:path');
const { root } = require('./lib/paths');
const { completeLockfile } = require('./lib/platform-packages');

const file = path.join(root, 'package-lock.json');
const lockfile = JSON.parse(fs.readFileSync(file, 'utf8'));
const added = completeLockfile(lockfile);
if (added.length > 0) fs.writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
console.log(`${added.length} packages of other platforms added to package-lock.json`);

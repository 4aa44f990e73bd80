'use strict';

/** node scripts/lockfile.js: run after `npm install` has changed package-lock.json; see lib/platform-packages.js. */

const fs = require('node:fs');
const path = require('node:path');
const { root } = require('./lib/paths');
const { lockfileGaps } = require('./lib/build/platform-packages');

const gaps = lockfileGaps(JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')));
for (const gap of gaps) console.log(gap);
if (gaps.length === 0) console.log('package-lock.json names every package for every platform, each with its checksum.');
else {
  console.log(
    `${gaps.length} gaps in package-lock.json: choose versions that the registry has for all platforms, ` +
      'in package.json or its "overrides", and run npm install again.',
  );
  process.exitCode = 1;
}

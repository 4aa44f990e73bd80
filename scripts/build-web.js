'use strict';

/** npm run build:web: dist/web as the sources of the pages say. */

const { ensureWebBuild } = require('./lib/build-web');
const { ensureDependencies } = require('./lib/dependencies');
const { tellFailure } = require('./lib/failure');
const { checkNodeVersion } = require('./lib/node-version');
const { createProgress } = require('./lib/progress');

async function main() {
  const progress = createProgress();
  try {
    checkNodeVersion();
    await ensureDependencies(progress);
    await ensureWebBuild(progress);
  } catch (error) {
    process.exitCode = tellFailure(error);
  }
}

void main();

'use strict';

/** npm run build: brings dist/ up to date. --production builds only what an image needs, --pages only the pages. */

const { ensureBuild } = require('./lib/build/build');
const { ensureWebBuild } = require('./lib/build/build-web');
const { ensureDependencies } = require('./lib/build/dependencies');
const { exitWith } = require('./lib/foreground');
const { checkNodeVersion } = require('./lib/node-version');
const { createProgress } = require('./lib/progress');

const args = process.argv.slice(2);

exitWith(async () => {
  const progress = createProgress();
  checkNodeVersion();
  await ensureDependencies(progress);
  if (!args.includes('--pages')) await ensureBuild(progress, { tools: !args.includes('--production') });
  await ensureWebBuild(progress);
});

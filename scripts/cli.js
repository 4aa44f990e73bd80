'use strict';

/** npm run cli -- …: the admin command line, with the private services of a running `npm start` filled in. */

const path = require('node:path');
const { ensureBuild } = require('./lib/build/build');
const { ensureDependencies } = require('./lib/build/dependencies');
const { withEnvironment } = require('./lib/start/environment-file');
const { exitWith, inForeground } = require('./lib/foreground');
const { checkNodeVersion } = require('./lib/node-version');
const { root } = require('./lib/paths');
const { createProgress } = require('./lib/progress');

exitWith(async () => {
  // stdout belongs to the command: its caller may parse JSON from it.
  const progress = createProgress(process.stderr);
  checkNodeVersion();
  await ensureDependencies(progress);
  await ensureBuild(progress, { tools: false });
  const dataDir = path.resolve(root, process.env['DATA_DIR'] || '.data');
  const main = path.join(root, 'dist/cli/main.js');
  return inForeground(['--enable-source-maps', main, ...process.argv.slice(2)], {
    // Relative paths in arguments are relative to the directory where the user typed them.
    cwd: process.env['INIT_CWD'] ?? process.cwd(),
    env: { ...withEnvironment(dataDir, process.env), DATA_DIR: dataDir },
  });
});

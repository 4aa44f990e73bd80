'use strict';

/** Brings dist/web up to date: builds the pages with Vite if their sources have changed, and compresses them. */

const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { promisify } = require('node:util');
const { Failure } = require('../failure');
const { root } = require('../paths');
const { putPages } = require('./put-pages');
const { runCommand } = require('../run-command');
const { exclusively } = require('../socket-lock');
const { filesBelow, hashFiles, isStamped } = require('./stamps');

const sources = path.join(root, 'web');
/** Server files that the pages use: emoji data, and the colours and fonts of the pages that nodes render. */
const shared = [
  'src/chat/model/markdown/emoji.json',
  'src/kernel/api-docs/colors.css',
  'src/kernel/api-docs/mark.svg',
  'src/kernel/api-docs/stand-ins.css',
].map((each) => path.join(root, each));
/** Must match web/vite.config.mjs. */
const built = path.join(root, '.cache/web');
const target = path.join(root, 'dist/web');
const stamp = path.join(target, '.partyline-stamp');

const COMPRESSIBLE = /\.(html|js|css|svg|json)$/;
/** A smaller response fits into one packet anyway. */
const MIN_BYTES = 1024;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Stores every file also as .br and .gz, so that nodes never compress a response. */
async function compressFiles() {
  const files = filesBelow(built).filter((file) => COMPRESSIBLE.test(file) && fs.statSync(file).size >= MIN_BYTES);
  await Promise.all(
    files.map(async (file) => {
      const content = fs.readFileSync(file);
      const [asBrotli, asGzip] = await Promise.all([brotli(content), gzip(content, { level: 9 })]);
      fs.writeFileSync(`${file}.br`, asBrotli);
      fs.writeFileSync(`${file}.gz`, asGzip);
    }),
  );
}

async function runVite() {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const config = path.join(sources, 'vite.config.mjs');
  const outcome = await runCommand(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (outcome.code !== 0) {
    throw new Failure('The pages do not build (see above): correct them and try again.', { detail: outcome.all });
  }
}

/** @param {import('../progress').Progress} progress */
async function ensureWebBuild(progress) {
  const hash = hashFiles(root, [path.join(root, 'package-lock.json'), __filename, ...shared, ...filesBelow(sources)]);
  if (isStamped(stamp, hash)) return;
  await progress.step('Building the pages', () =>
    exclusively(`build web ${root}`, async () => {
      if (isStamped(stamp, hash)) return;
      await runVite();
      await compressFiles();
      putPages(built, target);
      fs.writeFileSync(stamp, hash);
    }),
  );
}

module.exports = { ensureWebBuild };

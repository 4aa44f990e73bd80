'use strict';

/** dist/ as the sources say: type check and compile when they have changed, then copy what tsc leaves behind. */

const fs = require('node:fs');
const path = require('node:path');
const { Failure } = require('./failure');
const { root } = require('./paths');
const { runCommand } = require('./run-command');
const { exclusively } = require('./socket-lock');
const { filesBelow, hashFiles, isStamped } = require('./stamps');

const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.partyline-stamp');
/** Built by build-web.js, which removes what is old itself. */
const pages = path.join(dist, 'web') + path.sep;

const DIRECTORIES = ['config', 'src', 'workers', 'cli', 'simulators', 'bench', 'test', 'scripts'];
const PROJECT_FILES = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const COMPILED = /\.[cm]?[jt]s$/;

const sources = () => DIRECTORIES.flatMap((name) => filesBelow(path.join(root, name)));

/** @param {boolean} production */
function sourceHash(production) {
  const files = [...PROJECT_FILES.map((name) => path.join(root, name)), ...sources()];
  return `${production ? 'production ' : ''}${hashFiles(root, files)}`;
}

/** Lua scripts, pages, styles: the compiler does not know them, the program reads them from beside its own files. */
function copyAssets() {
  for (const file of sources()) {
    const name = path.relative(root, file);
    if (COMPILED.test(name) || /^(test|bench|scripts)\//.test(name)) continue;
    const target = path.join(dist, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(file, target);
  }
}

/** A file whose source is gone would still be found by whoever reads a directory, migrations above all. */
function removeOrphans() {
  for (const file of filesBelow(dist)) {
    if (file === stamp || file.startsWith(pages)) continue;
    const name = path.relative(dist, file).replace(/\.map$/, '');
    const candidates = [name, name.replace(/\.js$/, '.ts')];
    if (!candidates.some((each) => fs.existsSync(path.join(root, each)))) fs.rmSync(file);
  }
}

/** @param {boolean} production */
async function compile(production) {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const project = production ? 'tsconfig.build.json' : 'tsconfig.json';
  const outcome = await runCommand(process.execPath, [tsc, '-p', project, '--noEmitOnError'], { cwd: root });
  if (outcome.code !== 0) {
    throw new Failure('The sources do not compile (see above): correct them and try again.', { detail: outcome.all });
  }
}

/**
 * @param {import('./progress').Progress} progress
 * @param {{ production?: boolean }} [options] production: only what an image needs, no tests and no tools
 */
async function ensureBuild(progress, { production = false } = {}) {
  // Hashed before the compiler reads: what is edited meanwhile is built next time.
  const hash = sourceHash(production);
  if (isStamped(stamp, hash)) return;
  await progress.step('Building', () =>
    exclusively(`build ${root}`, async () => {
      if (isStamped(stamp, hash)) return;
      await compile(production);
      copyAssets();
      removeOrphans();
      fs.writeFileSync(stamp, hash);
    }),
  );
}

module.exports = { ensureBuild };

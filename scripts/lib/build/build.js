'use strict';

/** Brings dist/ up to date: transpiles or copies changed sources. `npm test` checks the types, not this script. */

const fs = require('node:fs');
const path = require('node:path');
const { Failure } = require('../failure');
const { root } = require('../paths');
const { exclusively } = require('../socket-lock');
const { filesBelow, hashFiles } = require('./stamps');
const { swcOptions } = require('./swc-options');

const dist = path.join(root, 'dist');
/** The hash of each source file in dist/, and under MAKERS the hash of the build tools. */
const stamp = path.join(dist, '.partyline-stamp');
/** Built by build-web.js, which deletes its old files itself. */
const pages = path.join(dist, 'web') + path.sep;

const PROGRAM = ['config', 'src', 'workers', 'cli', 'simulators'];
const TOOLS = ['bench', 'test', 'scripts'];
const MAKERS = 'package-lock.json';
const makers = [path.join(root, MAKERS), __filename, require.resolve('./swc-options')];

/** @typedef {Record<string, string>} Hashes by name below the root */

/** @returns {Hashes} */
function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stamp, 'utf8'));
  } catch {
    return {};
  }
}

/** @param {readonly string[]} directories */
function look(directories) {
  const now = Object.fromEntries([
    [MAKERS, hashFiles(root, makers)],
    ...directories
      .flatMap((each) => filesBelow(path.join(root, each)))
      .map((file) => [path.relative(root, file), hashFiles(root, [file])]),
  ]);
  const stamped = readStamp();
  const before = stamped[MAKERS] === now[MAKERS] ? stamped : {};
  const others = Object.entries(before).filter(([name]) => TOOLS.some((each) => name.startsWith(`${each}/`)));
  const after = /** @type {Hashes} */ ({ ...Object.fromEntries(others), ...now });
  const changed = Object.keys(now).filter((name) => name !== MAKERS && now[name] !== before[name]);
  const gone = Object.keys(before).some((name) => !fs.existsSync(path.join(root, name)));
  return { after, changed, isFresh: changed.length === 0 && !gone };
}

/**
 * @param {string} name
 * @returns {Promise<[name: string, text: string][]>} what dist/ gets for it
 */
async function transpile(name) {
  const made = name.replace(/ts$/, 'js');
  // Loaded here, because it may not be installed yet when this file is loaded.
  const { code, map } = await require('@swc/core').transformFile(path.join(root, name), {
    ...swcOptions(path.join(root, name)),
    // Source maps are separate files: inline they would be two thirds of what Node reads and compiles.
    sourceMaps: true,
    sourceFileName: path.relative(path.dirname(path.join(dist, made)), path.join(root, name)),
    inlineSourcesContent: false,
  });
  return [
    [made, `${code}//# sourceMappingURL=${path.basename(made)}.map\n`],
    [`${made}.map`, String(map)],
  ];
}

/** @param {readonly string[]} names */
async function transpileAll(names) {
  const outcomes = await Promise.allSettled(names.map(transpile));
  const errors = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  if (errors.length > 0) {
    throw new Failure('The sources do not compile (see above): correct them and try again.', {
      detail: errors.join('\n'),
    });
  }
  return outcomes.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

/** Writes nothing until everything is transpiled. @param {readonly string[]} changed */
async function make(changed) {
  const isTypescript = (/** @type {string} */ name) => name.endsWith('.ts');
  const transpiled = await transpileAll(changed.filter(isTypescript));
  for (const name of changed) fs.mkdirSync(path.join(dist, path.dirname(name)), { recursive: true });
  for (const [name, text] of transpiled) {
    // Deleted first: overwriting a file waits for the disk, four times as long as everything else here.
    fs.rmSync(path.join(dist, name), { force: true });
    fs.writeFileSync(path.join(dist, name), text);
  }
  // Lua scripts, pages and styles: the program reads them from the directory of its own files.
  for (const name of changed) {
    if (!isTypescript(name)) fs.copyFileSync(path.join(root, name), path.join(dist, name));
  }
}

/** A file whose source is gone would still be found by code that reads a directory, above all migrations. */
function removeOrphans() {
  for (const file of filesBelow(dist)) {
    if (file === stamp || file.startsWith(pages)) continue;
    const name = path.relative(dist, file).replace(/\.map$/, '');
    const candidates = [name, name.replace(/\.js$/, '.ts')];
    if (!candidates.some((each) => fs.existsSync(path.join(root, each)))) fs.rmSync(file);
  }
}

/**
 * @param {import('../progress').Progress} progress
 * @param {{ tools?: boolean }} [options] no tools: only what runs in production, without tests and benchmarks
 */
async function ensureBuild(progress, { tools = true } = {}) {
  const directories = tools ? [...PROGRAM, ...TOOLS] : PROGRAM;
  if (look(directories).isFresh) return;
  await progress.step('Building', () =>
    exclusively(`build ${root}`, async () => {
      // Hashed before anything is read: a file edited meanwhile is built next time.
      const { after, changed, isFresh } = look(directories);
      if (isFresh) return;
      await make(changed);
      removeOrphans();
      fs.writeFileSync(stamp, JSON.stringify(after));
    }),
  );
}

module.exports = { ensureBuild };

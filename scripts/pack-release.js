'use strict';

/**
 * node scripts/pack-release.js <commit or tag> <version>: builds that state and keeps what runs of it, JavaScript and the
 * files that it reads, in test/fixtures/releases/. test/cluster/upgrade.test.ts runs it beside the present state. Pages,
 * maps and packages are left out: it runs with the packages that are installed.
 */

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { brotliCompressSync, constants } = require('node:zlib');
const { root } = require('./lib/paths');
const { filesBelow } = require('./lib/stamps');

const FOLDERS = ['src', 'workers', 'cli', 'config'];
/** The files that the compiler needs besides the sources. */
const COMPILED_TOO = ['simulators', 'scripts'];
/** Example payloads are for tests and documents; pages need a build of their own. */
const LEFT_OUT = /\/payloads\/|\.(md|map|html)$/;
const TEXT = /\.(js|json|lua|sql|txt)$/;

const [commit, version] = process.argv.slice(2);
if (!commit || !version) throw new Error('usage: node scripts/pack-release.js <commit or tag> <version>');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'partyline-release-'));
try {
  const archive = path.join(folder, 'archive.tar');
  execFileSync(
    'git',
    [
      'archive',
      '-o',
      archive,
      commit,
      ...FOLDERS,
      ...COMPILED_TOO,
      'package.json',
      'tsconfig.json',
      'tsconfig.build.json',
    ],
    {
      cwd: root,
    },
  );
  execFileSync('tar', ['xf', archive], { cwd: folder });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const options = ['-p', 'tsconfig.build.json', '--sourceMap', 'false', '--removeComments'];
  execFileSync(process.execPath, [tsc, ...options], { cwd: folder, stdio: 'inherit' });

  const dist = path.join(folder, 'dist');
  const compiled = FOLDERS.flatMap((name) => filesBelow(path.join(dist, name))).map((file) => ({
    name: `dist/${path.relative(dist, file)}`,
    file,
  }));
  const read = FOLDERS.flatMap((name) => filesBelow(path.join(folder, name)))
    .filter((file) => !/\.[cm]?[jt]s$/.test(file))
    .map((file) => ({ name: `dist/${path.relative(folder, file)}`, file }));
  const kept = [...compiled, ...read, { name: 'package.json', file: path.join(folder, 'package.json') }].filter(
    ({ name }) => name === 'package.json' || !LEFT_OUT.test(name),
  );
  const files = Object.fromEntries(
    kept
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, file }) => [
        name,
        TEXT.test(name) ? { text: fs.readFileSync(file, 'utf8') } : { base64: fs.readFileSync(file, 'base64') },
      ]),
  );
  const target = path.join(root, `test/fixtures/releases/${version}.json.br`);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const full = execFileSync('git', ['rev-parse', `${commit}^{commit}`], { cwd: root, encoding: 'utf8' }).trim();
  const whole = Buffer.from(JSON.stringify({ version, commit: full, files }));
  const packed = brotliCompressSync(whole, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  fs.writeFileSync(target, packed);
  console.log(`${kept.length} files, ${whole.length} bytes, packed ${packed.length}: ${path.relative(root, target)}`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

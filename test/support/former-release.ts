/** A release that went before, as scripts/pack-release.js has kept it: unpacked once, it runs like the present state. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

const root = join(__dirname, '../..');

type Kept = { readonly text: string } | { readonly base64: string };

interface Packed {
  readonly version: string;
  readonly commit: string;
  readonly files: Readonly<Record<string, Kept>>;
}

/** Gives the folder that it lies in: within ours, so that it finds the packages that are installed here. */
export function unpackRelease(version: string): string {
  const packed = readFileSync(join(root, `test/fixtures/releases/${version}.json.br`));
  const target = join(
    root,
    '.cache/releases',
    `${version}-${createHash('sha256').update(packed).digest('hex').slice(0, 12)}`,
  );
  if (!existsSync(target)) unpack(packed, target);
  checkPackages(target);
  return target;
}

/** Whole or not at all: other processes may do the same. */
function unpack(packed: Buffer, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(`${target}-`);
  const { files } = JSON.parse(brotliDecompressSync(packed).toString()) as Packed;
  for (const [name, kept] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'text' in kept ? kept.text : Buffer.from(kept.base64, 'base64'));
  }
  try {
    renameSync(folder, target);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(target)) throw error;
  }
}

const majorOf = (version: string): string => version.split('.')[0]!;

/** It was built for other packages than those that are installed? Then the test would prove nothing. */
function checkPackages(folder: string): void {
  const { dependencies, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    version: string;
  };
  const unfit = Object.entries(dependencies).filter(([name, wanted]) => {
    const file = join(root, 'node_modules', name, 'package.json');
    if (!existsSync(file)) return true;
    const { version: found } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    return majorOf(found) !== majorOf(wanted);
  });
  if (unfit.length === 0) return;
  const names = unfit.map(([name, wanted]) => `${name} ${wanted}`).join(', ');
  throw new Error(
    `release ${version} needs ${names}, which is not installed: install it under another name, or end its support`,
  );
}

// The lockfile decides which code runs: every package in it is pinned by a checksum, on every platform.
import fs from 'node:fs';
import path from 'node:path';
import { isNative, lockfileGaps } from '../../../scripts/lib/build/platform-packages';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const root = path.resolve(__dirname, '../../..');
const text = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };

describe('package-lock.json', () => {
  it('The lockfile has a checksum for every package and the native packages of every platform', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(500);
    expect(lockfileGaps({ packages } as never)).toEqual([]);
  });

  it('The lockfile names no registry, so each machine uses its own', () => {
    expect(text).not.toContain('"resolved"');
    expect(text).not.toMatch(/https?:\/\/[^"]*(registry|\.tgz)/);
  });

  it('The lockfile has the same native packages for Linux on x64 and on arm64', () => {
    const families = (cpu: string) =>
      Object.entries(packages)
        .filter(([, entry]) => entry.os?.includes('linux') && entry.cpu?.includes(cpu))
        .map(([place]) => place.replace(/^.*node_modules\//, '').replace(/-?linux.*$/, ''));
    // recheck runs as JavaScript if it has no native program; lzma is only for building Rollup itself.
    expect(new Set([...families('arm64'), 'recheck', '@napi-rs/lzma'])).toEqual(new Set(families('x64')));
    expect(families('arm64')).toEqual(expect.arrayContaining(['@swc/core', '@msgpackr-extract/msgpackr-extract']));
  });
});

describe('Gaps of a lockfile', () => {
  const integrity = 'sha512-x';

  it.each([
    ['@swc/core-linux-arm64-musl', true],
    ['@oxlint/binding-linux-arm-gnueabihf', true],
    ['@unrs/resolver-binding-win32-x64-msvc', true],
    ['@msgpackr-extract/msgpackr-extract-darwin-arm64', true],
    ['fsevents', false],
    ['lru-cache', false],
  ])('The package %s counts as native: %s', (name, native) => expect(isNative(name)).toBe(native));

  it('A package without a strong checksum is a gap', () => {
    const gapless = { '': {}, 'node_modules/a': { version: '1.0.0', integrity } };
    expect(lockfileGaps({ packages: gapless })).toEqual([]);
    for (const weak of [{}, { integrity: 'sha1-x' }]) {
      expect(lockfileGaps({ packages: { ...gapless, 'node_modules/b': { version: '2.0.0', ...weak } } })).toEqual([
        'node_modules/b@2.0.0 has no checksum',
      ]);
    }
  });

  it('A missing native package of another platform is a gap', () => {
    const optionalDependencies = { '@a/linux-x64': '1.0.0', '@a/darwin-x64': '1.0.0', fsevents: '^2.3.3' };
    const gaps = lockfileGaps({
      packages: {
        'node_modules/b/node_modules/a': { version: '1.0.0', integrity, optionalDependencies },
        'node_modules/@a/linux-x64': { version: '1.0.0', integrity },
      },
    });
    expect(gaps).toEqual([
      '@a/darwin-x64@1.0.0, which node_modules/b/node_modules/a wants on another platform, is not named',
    ]);
  });
});

// The SBOM and the list of licences: complete, identical for the same lockfile, and without anything that we may not
// ship.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  billOfMaterials,
  isPermissive,
  listOfLicences,
  mayBeShipped,
  partsOf,
} from '../../../scripts/lib/build/bill-of-materials';
import { IN_PAGES } from '../../../scripts/lib/build/packages-in-pages';

const root = path.resolve(__dirname, '../../..');
const text = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const { dependencies, devDependencies } = JSON.parse(
  fs.readFileSync(path.join(root, 'package.json'), 'utf8'),
) as Record<string, Record<string, string>>;
const parts = partsOf(JSON.parse(text));
const partNamed = (name: string) => parts.find((part) => part.name === name);

describe('Bill of materials', () => {
  const bill = billOfMaterials(text);

  it('The bill of materials marks every dependency of the product as shipped, and every tool as not shipped', () => {
    for (const [name, version] of Object.entries(dependencies ?? {})) {
      expect(parts).toContainEqual(expect.objectContaining({ name, version, scope: 'required' }));
    }
    expect(partNamed('jest')).toMatchObject({ version: devDependencies?.['jest'], scope: 'excluded' });
    expect(partNamed('oxlint')?.scope).toBe('excluded');
    // A package that is installed under another name.
    expect(parts.filter(({ name }) => name === 'socket.io-client').map(({ version }) => version)).toContain('2.5.0');
  });

  it('The bill of materials marks packages bundled into the pages as shipped, with their dependencies', () => {
    const sources = fs
      .readdirSync(path.join(root, 'web'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => fs.readFileSync(path.join(root, 'web', name), 'utf8'));
    const imported = sources.flatMap((source) =>
      [...source.matchAll(/(?:from |import\()'((?:@[^/']+\/)?[^./'][^/']*)/g)].map((match) => match[1]!),
    );
    // KaTeX is a dependency of the server as well.
    expect(new Set(imported)).toEqual(new Set([...IN_PAGES, 'katex']));
    for (const name of [...IN_PAGES, 'scheduler', '@mantine/hooks', '@floating-ui/dom']) {
      // Tests have older versions of one of them, too.
      expect(parts).toContainEqual(expect.objectContaining({ name, scope: 'required' }));
    }
    expect(partNamed('vite')?.scope).toBe('excluded');
  });

  it('The bill of materials has a checksum and a licence for every component, and each component once', () => {
    expect(bill.components.length).toBeGreaterThan(500);
    for (const { hashes, licenses } of bill.components) {
      expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
      expect(JSON.stringify(licenses)).not.toContain('unknown');
    }
    expect(new Set(bill.components.map(({ purl }) => purl)).size).toBe(bill.components.length);
  });

  it('The bill of materials is CycloneDX 1.5 with a UUID as its serial number', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(bill.components.find(({ name }) => name === '@koa/router')?.purl).toMatch(/^pkg:npm\/%40koa\/router@\d/);
  });

  it('The bill of materials names no registry', () => {
    const addresses = JSON.stringify(bill).match(/https?:\/\/[^"]*/g);
    expect(addresses).toEqual(['http://cyclonedx.org/schema/bom-1.5.schema.json']);
  });
});

describe('Licences', () => {
  it('Every licence of a shipped package is permissive or listed as an exception', () => {
    const strict = parts.filter((part) => part.scope !== 'excluded' && !mayBeShipped(part));
    expect(strict).toEqual([]);
  });

  it('Only libvips may be under the LGPL and only web-push under the MPL, and no other package uses these exceptions', () => {
    const licence = 'LGPL-3.0-or-later';
    expect(mayBeShipped({ name: '@img/sharp-libvips-linux-x64', licence })).toBe(true);
    expect(mayBeShipped({ name: '@img/sharp-win32-x64', licence: `Apache-2.0 AND ${licence}` })).toBe(true);
    expect(mayBeShipped({ name: '@img/sharp-libvips-linux-x64', licence: 'GPL-3.0-only' })).toBe(false);
    expect(mayBeShipped({ name: 'another-package', licence })).toBe(false);
    expect(mayBeShipped({ name: 'web-push', licence: 'MPL-2.0' })).toBe(true);
    expect(mayBeShipped({ name: 'web-push', licence })).toBe(false);
    expect(mayBeShipped({ name: 'another-push', licence: 'MPL-2.0' })).toBe(false);
  });

  it('Every part of a licence expression is judged', () => {
    expect(['MIT', '(MIT OR CC0-1.0)', 'Apache-2.0 AND MIT'].map(isPermissive)).toEqual([true, true, true]);
    expect(['GPL-3.0-only', 'MIT AND AGPL-3.0-only', 'unknown'].map(isPermissive)).toEqual([false, false, false]);
  });

  it('The list of licences names the packages of each', () => {
    expect(listOfLicences(text)).toMatch(/^\| MIT \| \d{3} \| .*koa \d/m);
  });
});

it('The command npm run sbom writes the same files every time', () => {
  const write = () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'sbom-'));
    const { status, stdout } = spawnSync(process.execPath, ['scripts/sbom.js', directory], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+ packages are shipped/)]);
    const files = ['sbom.cdx.json', 'licences.md'].map((name) => fs.readFileSync(path.join(directory, name), 'utf8'));
    fs.rmSync(directory, { recursive: true });
    return files;
  };
  const first = write();
  expect(write()).toEqual(first);
  expect(JSON.parse(first[0] ?? '')).toEqual(billOfMaterials(text));
});

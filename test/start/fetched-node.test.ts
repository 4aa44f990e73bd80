// Releases of Node come from a registry: checked against the pinned checksum, and cached.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fetchNode } from '../../scripts/lib/programs/fetch-node';

const NAME = `node-linux-${process.arch}`;
const VERSION = '1.2.3';
const folder = mkdtempSync(path.join(process.env['TEST_RUN_DIR'] ?? '', 'nodes-'));
let registry: Server;
let integrity: string;

/** Stands in for Node: a package of the same shape whose program prints the version. */
function packageArchive(): Buffer {
  mkdirSync(path.join(folder, 'package/bin'), { recursive: true });
  writeFileSync(path.join(folder, 'package/package.json'), JSON.stringify({ name: NAME, version: VERSION }));
  writeFileSync(path.join(folder, 'package/bin/node'), `#!/bin/sh\necho v${VERSION}\n`, { mode: 0o755 });
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  return readFileSync(path.join(folder, 'package.tgz'));
}

beforeAll(async () => {
  const archive = packageArchive();
  integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  registry = createServer((request, response) => {
    if (request.url!.endsWith('.tgz')) return response.end(archive);
    const tarball = `http://${request.headers.host!}/${NAME}.tgz`;
    const entry = { name: NAME, version: VERSION, dist: { tarball, integrity } };
    const document = { name: NAME, 'dist-tags': { latest: VERSION }, versions: { [VERSION]: entry } };
    return response.setHeader('Content-Type', 'application/json').end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  process.env['npm_config_registry'] = `http://127.0.0.1:${port}/`;
  process.env['npm_config_cache'] = path.join(folder, 'npm');
  process.env['npm_config_fetch_retries'] = '0';
});
afterAll(() => {
  registry.close();
  registry.closeAllConnections();
});

const fetchInto = (place: string, pinned: string) =>
  fetchNode({ version: VERSION, integrity: { [process.arch]: pinned } }, path.join(folder, place));

test('A package whose checksum is not the pinned one is refused, and nothing of it is kept', async () => {
  const other = `sha512-${createHash('sha512').update('another').digest('base64')}`;
  await expect(fetchInto('wrong', other)).rejects.toThrow(
    `Cannot get ${NAME}@${VERSION}, on which the tests run too (its checksum is not the pinned one)`,
  );
  expect(readdirSync(path.join(folder, 'wrong'))).toEqual([]);
});

test('A release is fetched once; without a registry, the kept one is used and a missing one is named', async () => {
  const fetched = await fetchInto('right', integrity);
  expect(execFileSync(fetched.path, ['--version'], { encoding: 'utf8' })).toBe(`v${VERSION}\n`);
  expect(readdirSync(path.join(folder, 'right'))).toEqual([`${NAME}-${VERSION}`]);

  process.env['npm_config_registry'] = 'http://127.0.0.1:1/';
  expect(await fetchInto('right', integrity)).toEqual(fetched);
  await expect(fetchInto('missing', integrity)).rejects.toMatchObject({
    message: expect.stringMatching(/^Cannot get .+ \(npm failed, see above\): check the network/),
    detail: expect.stringContaining('ECONNREFUSED'),
  });
});

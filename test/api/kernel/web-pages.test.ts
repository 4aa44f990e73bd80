import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { rawAnswer } from '../../support/http/raw-answer';
import { until } from '../../support/until';

let cluster: Cluster;
let node: TestNode;
let folder: string;
const HTML = { Accept: 'text/html,application/xhtml+xml' };
const SCRIPT = 'console.log("chat");\n'.repeat(20);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-'));
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node({ WEB_DIR: folder });
});
afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

async function build(): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  const script = join(folder, 'assets/index-Ab12.js');
  await writeFile(script, SCRIPT);
  await writeFile(`${script}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${script}.gz`, gzipSync(SCRIPT));
  await writeFile(join(folder, 'robots.txt'), 'User-agent: *\n');
  await writeFile(join(folder, 'notes.secret'), 'not for the web');
  await writeFile(join(folder, 'portal.html'), '<title>Portal</title>');
  await writeFile(join(folder, 'index.html'), '<title>Chat</title><meta name="nonce" content="__CSP_NONCE__">');
}

test('A node whose pages are not built says how to build them, and finds them when they are', async () => {
  const { status, text, headers } = await node.call('/');
  expect(status).toBe(200);
  expect(text).toContain('npm run build');
  for (const address of ['/docs', '/ops', '/portal']) expect(text).toContain(address);
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
  await build();
  await until(async () => (await node.call('/')).text.includes('<title>Chat</title>'));
});

test.each(['/', '/stream/5/topic/release%201.2', '/settings/profile', '/index.html'])(
  'The page address %s answers the page of the chat, under a strict policy',
  async (path) => {
    const { status, text, headers } = await node.call(path, { headers: HTML });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('x-frame-options')).toBe('DENY');
    const policy = headers.get('content-security-policy')!;
    expect(policy).not.toContain('unsafe');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy).toContain("; img-src 'self' data: blob:; ");
    expect(policy).not.toMatch(/https?:|\*/);
    const [, nonce] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)!;
    expect(text).toBe(`<title>Chat</title><meta name="nonce" content="${nonce}">`);
    expect((await node.call(path, { headers: HTML })).text).not.toContain(nonce);
  },
);

test('A path below the name of another page serves that page', async () => {
  for (const path of ['/portal', '/portal/phones']) {
    const { text, headers } = await node.call(path, { headers: HTML });
    expect(text).toContain('Portal');
    expect(headers.get('content-security-policy')).toContain("; img-src 'self' data: blob:; ");
  }
});

test('A node serves only the pages of its own products', async () => {
  const alone = await cluster.node({ WEB_DIR: folder, PRODUCTS: 'telephony' });
  expect((await alone.call('/portal/phones', { headers: HTML })).text).toContain('Portal');
  for (const path of ['/', '/stream/5', '/index.html'])
    expect({ path, status: (await alone.call(path, { headers: HTML })).status }).toEqual({ path, status: 404 });
  expect((await alone.call('/assets/index-Ab12.js')).status).toBe(200);
});

test('A hashed file is cached for ever and sent as the build compressed it', async () => {
  const path = '/assets/index-Ab12.js';
  const encodings = { 'br, gzip': 'br', gzip: 'gzip', identity: undefined } as const;
  for (const [accepted, encoding] of Object.entries(encodings)) {
    const { status, headers, bytes } = await rawAnswer(`${node.url}${path}`, { 'Accept-Encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['vary']).toBe('Accept-Encoding');
    expect(headers['content-length']).toBe(String(bytes.length));
  }
  expect((await node.call(path)).text).toBe(SCRIPT);
  const head = await node.call(path, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  const etag = (await node.call(path)).headers.get('etag')!;
  expect((await rawAnswer(`${node.url}${path}`, { 'If-None-Match': etag })).status).toBe(304);
});

test('Files without a hash in their name are revalidated, and only files of a known type are served', async () => {
  expect((await node.call('/robots.txt')).headers.get('cache-control')).toBe('no-cache');
  for (const path of ['/notes.secret', '/assets/index-Old1.js', '/assets/../../package.json', '/assets/%2e%2e/x.js'])
    expect((await node.call(path)).status).toBe(404);
  const old = await node.call('/assets/index-Old1.js', { headers: HTML });
  expect([old.status, old.headers.get('cache-control')]).toEqual([404, 'private, no-store']);
});

test('Pages do not shadow routes, probes and documents', async () => {
  expect((await node.call('/api/v1/server_settings', { headers: HTML })).body.result).toBe('success');
  expect((await node.call('/api/v1/nothing', { headers: HTML })).body.code).toBe('NOT_FOUND');
  expect((await node.call('/system/company', { headers: HTML })).status).toBe(401);
  expect((await node.call('/system/company', { method: 'POST', headers: HTML })).status).toBe(405);
  expect((await node.call('/nothing/here')).status).toBe(404);
  expect((await node.call('/nothing/here', { method: 'POST', headers: HTML })).status).toBe(404);
  expect((await node.call('/healthz', { headers: HTML })).status).toBe(200);
  expect((await node.call('/docs', { headers: HTML })).text).toContain('swagger');
});

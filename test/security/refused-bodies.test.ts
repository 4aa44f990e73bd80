import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bearer } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { openRaw, rawRequest, type Framing, type RawAnswer } from '../support/http/raw-connection';

let cluster: Cluster;
let node: TestNode;
let limited: TestNode;
let member: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  limited = await cluster.node({ RATE_LIMIT: '3600:1' });
  member = await node.basic('member@example.com');
});
afterAll(() => cluster.close());

interface EntryPoint {
  readonly start: string;
  readonly type: string;
  readonly headers: () => Record<string, string>;
  /** Any text is a body of this type. */
  readonly takesText?: boolean;
}

/** One for each way of reading a body. */
const ENTRY_POINTS: Readonly<Record<string, EntryPoint>> = {
  'telephony JSON': { start: 'PATCH /company', type: 'application/json', headers: () => bearer('demo-key-one') },
  'telephony CSV': {
    start: 'PATCH /company',
    type: 'text/csv',
    headers: () => bearer('demo-key-one'),
    takesText: true,
  },
  'chat form': { start: 'POST /api/v1/messages', type: 'application/x-www-form-urlencoded', headers: () => member },
  'chat JSON': { start: 'POST /api/v1/messages', type: 'application/json', headers: () => member },
  'chat multipart': {
    start: 'POST /api/v1/messages',
    type: 'multipart/form-data; boundary=XX',
    headers: () => member,
  },
  "a carrier's call": {
    start: 'POST /webhooks/texting/simulated/demo-carrier-one',
    type: 'application/json',
    headers: () => ({}),
  },
};

const MEGABYTES = 1024 * 1024;
/** Incompressible, so that it is long on the wire in any encoding. */
const NOISE = Buffer.from(randomBytes(MEGABYTES).toString('base64'));
const field = (bytes: Buffer) => Buffer.concat([Buffer.from('{"content":"'), bytes, Buffer.from('"}')]);
const broken = (whole: Buffer) =>
  Buffer.concat([whole.subarray(0, 300), Buffer.alloc(400_000, 7), whole.subarray(300)]);

interface Bad {
  readonly body: Buffer;
  readonly headers?: Record<string, string>;
  /** Telephony reads JSON as UTF-8, whatever its charset says. */
  readonly mayPass?: boolean;
}

const BODIES: Readonly<Record<string, Bad>> = {
  'far too large': { body: field(NOISE) },
  'far too large, in gzip': { body: gzipSync(field(NOISE)), headers: { 'Content-Encoding': 'gzip' } },
  'far too large, in deflate': { body: deflateSync(field(NOISE)), headers: { 'Content-Encoding': 'deflate' } },
  'far too large, in brotli': { body: brotliCompressSync(field(NOISE)), headers: { 'Content-Encoding': 'br' } },
  'a bomb in gzip': { body: gzipSync(Buffer.alloc(60 * MEGABYTES)), headers: { 'Content-Encoding': 'gzip' } },
  'broken gzip': { body: broken(gzipSync(field(NOISE))), headers: { 'Content-Encoding': 'gzip' } },
  'broken deflate': { body: broken(deflateSync(field(NOISE))), headers: { 'Content-Encoding': 'deflate' } },
  'broken brotli': {
    body: broken(brotliCompressSync(field(NOISE))),
    headers: { 'Content-Encoding': 'br' },
  },
  'gzip that ends early': {
    body: gzipSync(field(NOISE)).subarray(0, 100_000),
    headers: { 'Content-Encoding': 'gzip' },
  },
  'of an unknown encoding': { body: field(NOISE), headers: { 'Content-Encoding': 'x-zip' } },
  'of an unknown charset': { body: field(NOISE.subarray(0, 100_000)), headers: { charset: 'x-none' }, mayPass: true },
  'no JSON and no form': { body: Buffer.from('--XX\r\nnothing\r\n{"%%%'.repeat(5000)) },
};

const NOBODY = { Authorization: 'Basic bm9ib2R5OngK' };
/** Refused before any byte of the body is read. */
const UNREAD: Readonly<Record<string, [start: string, headers: Record<string, string>, status: number]>> = {
  'an unknown path': ['POST /nothing/here', {}, 404],
  'an unknown path of chat': ['POST /api/v1/nothing', {}, 404],
  'a wrong method': ['PUT /company', bearer('demo-key-one'), 405],
  'a stranger to chat': ['POST /api/v1/messages', NOBODY, 401],
  'a stranger to telephony': ['PATCH /company', bearer('no-such-key'), 401],
  'a page': ['POST /healthz', {}, 200],
};

/** The next request is answered, or the response announced the end of the connection, and it ends. */
async function lives(request: Buffer, isPipelined: boolean, { port } = node): Promise<RawAnswer> {
  const raw = openRaw(port);
  const next = rawRequest({ start: 'GET /api/v1/server_settings HTTP/1.1' });
  raw.send(request);
  if (isPipelined) raw.send(next);
  const first = await raw.answer(0);
  if (first.headers.get('connection') === 'close') {
    await raw.closed();
  } else {
    if (!isPipelined) raw.send(next);
    expect((await raw.answer(1)).status).toBe(200);
  }
  raw.socket.destroy();
  return first;
}

const FRAMINGS: readonly Framing[] = ['content-length', 'chunked'];
/** HTTP/1.0 has no chunks. */
const VERSIONS: readonly (readonly [string, Framing, Record<string, string>])[] = [
  ...FRAMINGS.map((framing) => ['HTTP/1.1', framing, {}] as const),
  ...FRAMINGS.map((framing) => ['HTTP/1.1', framing, { Expect: '100-continue' }] as const),
  ['HTTP/1.0', 'content-length', { Connection: 'keep-alive' }],
];

describe.each(Object.entries(BODIES))('Refused body that is %s', (_, { body, headers: about = {}, mayPass }) => {
  test.each(Object.entries(ENTRY_POINTS))(
    'The connection of a refused body of %s stays usable or is closed',
    async (_name, entryPoint) => {
      const { charset, ...encoding } = about as Record<string, string>;
      const type = charset === undefined ? entryPoint.type : `${entryPoint.type}; charset=${charset}`;
      for (const [version, framing, more] of VERSIONS) {
        for (const isPipelined of [false, true]) {
          const headers = { ...entryPoint.headers(), ...encoding, 'Content-Type': type, ...more };
          const request = rawRequest({ start: `${entryPoint.start} ${version}`, headers, body, framing });
          const { status } = await lives(request, isPipelined);
          expect([mayPass === true || entryPoint.takesText === true || status >= 400, status < 500]).toEqual([
            true,
            true,
          ]);
        }
      }
    },
  );
});

test.each(Object.entries(UNREAD))(
  'After %s is refused without reading the body, the connection stays usable or is closed',
  async (_, [start, headers, status]) => {
    for (const body of [Buffer.from('{}'), Buffer.alloc(50_000, 120), field(NOISE)]) {
      for (const [version, framing, more] of VERSIONS) {
        for (const isPipelined of [false, true]) {
          const request = rawRequest({ start: `${start} ${version}`, headers: { ...headers, ...more }, body, framing });
          expect((await lives(request, isPipelined)).status).toBe(status);
        }
      }
    }
  },
);

test('After a refusal by the rate limit, the connection stays usable or is closed', async () => {
  for (const [version, framing, more] of VERSIONS) {
    const headers = { ...bearer('demo-key-one'), 'Content-Type': 'application/json', ...more };
    const request = rawRequest({ start: `PATCH /company ${version}`, headers, body: field(NOISE), framing });
    await lives(request, false, limited);
    expect((await lives(request, true, limited)).status).toBe(429);
  }
});

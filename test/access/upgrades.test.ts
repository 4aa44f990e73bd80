import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { openRaw, rawRequest } from '../support/http/raw-connection';
import { closeSockets, openSocket } from '../support/http/sockets';

let cluster: Cluster;
let node: TestNode;
let member: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  member = await node.basic('member@example.com');
});
afterAll(() => cluster.close());

const H2C = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' };
const WEBSOCKET = {
  Connection: 'keep-alive, Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const SETTINGS = '/api/v1/server_settings';

describe.each([
  ['h2c', H2C],
  ['TLS/1.0', { Connection: 'Upgrade', Upgrade: 'TLS/1.0' }],
  ['websocket outside of /ws', WEBSOCKET],
])('Requests for an upgrade to %s', (_, upgrade) => {
  test.each([
    ['a route', `GET ${SETTINGS}`, 200],
    ['a page', 'GET /healthz', 200],
    ['an unknown path', 'GET /nothing/here', 404],
  ])(
    'A request for an unsupported upgrade gets the ordinary answer of %s, and the connection is closed',
    async (_name, start, status) => {
      for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
        const raw = openRaw(node.port);
        raw.send(rawRequest({ start: `${start} ${version}`, headers: upgrade }));
        const answer = await raw.answer(0);
        expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close']);
        await raw.closed();
      }
    },
  );

  test('The body of a request for an unsupported upgrade is read, with a length and in chunks', async () => {
    for (const framing of ['content-length', 'chunked'] as const) {
      const headers = { ...upgrade, ...member, 'Content-Type': 'application/x-www-form-urlencoded' };
      const body = Buffer.from(`content=${'x'.repeat(9000)}`);
      const raw = openRaw(node.port);
      raw.send(rawRequest({ start: 'POST /api/v1/messages/render HTTP/1.1', headers, body, framing }));
      const answer = await raw.answer(0);
      expect([answer.status, answer.body.includes('xxx</p>')]).toEqual([200, true]);
    }
  });

  test('A request for an unsupported upgrade may be the second request of its connection', async () => {
    const raw = openRaw(node.port);
    raw.send(rawRequest({ start: `GET ${SETTINGS} HTTP/1.1` }));
    const first = await raw.answer(0);
    raw.send(rawRequest({ start: `GET ${SETTINGS} HTTP/1.1`, headers: upgrade }));
    expect((await raw.answer(1)).body).toBe(first.body);
  });

  test('A request for an unsupported upgrade never gets its answer before an earlier request of the connection', async () => {
    const { body } = await node.call('/api/v1/register', { method: 'POST', headers: member, form: {} });
    const { queue_id: queue, last_event_id: last } = body as { queue_id: string; last_event_id: number };
    const raw = openRaw(node.port);
    const poll = `GET /api/v1/events?queue_id=${queue}&last_event_id=${last} HTTP/1.1`;
    raw.send(rawRequest({ start: poll, headers: member }));
    raw.send(rawRequest({ start: `GET ${SETTINGS} HTTP/1.1`, headers: upgrade }));
    await raw.closed();
    expect(raw.heard()).toBe('');
  });
});

test('A Socket.IO polling request that asks for h2c is served as a polling request', async () => {
  const raw = openRaw(node.port);
  raw.send(rawRequest({ start: 'GET /ws/?EIO=4&transport=polling HTTP/1.1', headers: H2C }));
  const answer = await raw.answer(0);
  expect([answer.status, answer.body.includes('"sid"')]).toEqual([200, true]);
});

test('CONNECT is answered with 405', async () => {
  const raw = openRaw(node.port);
  raw.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
  expect((await raw.answer(0)).status).toBe(405);
  await raw.closed();
});

test.each(['v2', 'v3', 'v4'] as const)('A Socket.IO client %s still gets its WebSocket at /ws', async (version) => {
  for (const path of ['/ws', '/ws/']) {
    const socket = openSocket(node.url, { version, path });
    await socket.next('connect');
    expect(await socket.ask('authenticate', { token: 'demo-key-one' })).not.toHaveProperty('error');
  }
  closeSockets();
});

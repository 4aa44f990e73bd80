import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { openRaw, rawRequest } from '../support/http/raw-connection';
import { userOf, type TestUser } from '../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let member: Record<string, string>;
let owner: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await node.basic('member@example.com');
  owner = await userOf(node, 'owner');
});
afterAll(() => cluster.close());

const WEBSOCKET =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

describe('Two Host headers', () => {
  test.each([
    ['a route', 'GET /api/v1/server_settings', ''],
    ['a page', 'GET /healthz', ''],
    ['a poll', 'GET /api/v1/events?queue_id=1&last_event_id=-1', ''],
    ['a request with a body', 'POST /api/v1/fetch_api_key', 'Content-Length: 1\r\n'],
    ['a poll of a socket', 'GET /ws?EIO=4&transport=polling', ''],
    ['an upgrade to a socket', 'GET /ws?EIO=4&transport=websocket', WEBSOCKET],
    ['another upgrade', 'GET /healthz', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'],
  ])('A request for %s gets 400, and the connection is closed', async (_, start, more) => {
    for (const [first, second] of [
      ['Host: 127.0.0.1', 'Host: evil.example.com'],
      ['Host: 127.0.0.1', 'hOST: 127.0.0.1'],
    ]) {
      const raw = openRaw(node.port);
      const who = `Authorization: ${member['Authorization']}`;
      raw.send(
        `${start} HTTP/1.1\r\n${first}\r\n${who}\r\n${more}${second}\r\n\r\n${more.includes('Length') ? 'x' : ''}`,
      );
      const { status, headers, body } = await raw.answer(0);
      expect([status, headers.get('connection')]).toEqual([400, 'close']);
      expect(JSON.parse(body)).toMatchObject({ result: 'error', detail: 'The request has more than one Host header' });
      await raw.closed();
    }
  });
});

describe('Bytes after a request with Connection: close', () => {
  const GARBAGE = '\u0000\u0001 garbage \r\n\r\n';
  const NEXT = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const close = { Connection: 'close', Authorization: '' };

  test.each([
    ['garbage', GARBAGE],
    ['another request', NEXT],
    ['many bytes', 'x'.repeat(300_000)],
  ])('A request that is followed by %s in the same packet is answered, and nothing else is', async (_, rest) => {
    for (const start of ['GET /api/v1/users/me', 'GET /healthz', 'GET /nothing/here']) {
      const raw = openRaw(node.port);
      const request = rawRequest({ start: `${start} HTTP/1.1`, headers: { ...close, ...member } });
      raw.send(Buffer.concat([request, Buffer.from(rest, 'latin1')]));
      const { status } = await raw.answer(0);
      expect(status).toBe(start.includes('nothing') ? 404 : 200);
      await raw.closed();
      expect(await raw.answerOrClose(1)).toBeUndefined();
    }
  });

  test('A poll that waits is answered by its event, whatever came behind it', async () => {
    const { queue_id: id } = (await node.call('/api/v1/register', { method: 'POST', headers: member })).body;
    const raw = openRaw(node.port);
    const start = `GET /api/v1/events?queue_id=${id}&last_event_id=-1 HTTP/1.1`;
    raw.send(rawRequest({ start, headers: { ...close, ...member } }));
    raw.send(GARBAGE);
    await owner.post('/messages', { type: 'private', to: 'member@example.com', content: 'It waits for this.' });
    const { status, body } = await raw.answer(0);
    expect(status).toBe(200);
    expect(body).toContain('It waits for this.');
    await raw.closed();
  });

  test('A client that never stops sending is cut off', async () => {
    const { queue_id: id } = (
      await node.call('/api/v1/register', { form: { event_types: '["pointer"]' }, headers: member })
    ).body;
    const raw = openRaw(node.port);
    const start = `GET /api/v1/events?queue_id=${id}&last_event_id=-1 HTTP/1.1`;
    raw.send(rawRequest({ start, headers: { ...close, ...member } }));
    const more = Buffer.alloc(65_536, 'x');
    const send = () => {
      while (!raw.socket.destroyed && raw.socket.write(more));
    };
    raw.socket.on('drain', send);
    send();
    await raw.closed();
  });
});

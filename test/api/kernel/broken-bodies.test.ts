import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { bearer } from '../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
});
afterAll(() => cluster.close());

const patchCompany = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
  node.call('/company', {
    method: 'PATCH',
    raw,
    headers: { ...bearer('demo-key-one'), 'Content-Type': 'application/json', ...headers },
  });

test.each([
  ['not gzip at all', 'gzip', '{}'],
  ['truncated gzip', 'gzip', gzipSync('{"description":"x"}').subarray(0, 20)],
  ['not deflate', 'deflate', '{}'],
  ['not brotli', 'br', '{}'],
])('A compressed body that is %s gets 400, not 500', async (_, encoding, raw) => {
  const headers = { 'Content-Encoding': encoding };
  expect(await patchCompany(raw, headers)).toMatchObject({ status: 400, body: { status: 400 } });
  const carrier = '/webhooks/texting/simulated/demo-carrier-one';
  expect((await node.call(carrier, { method: 'POST', raw, headers })).status).toBe(400);
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
  const chat = await node.call('/api/v1/fetch_api_key', { method: 'POST', raw, headers: form });
  expect(chat).toMatchObject({ status: 400, body: { result: 'error', code: 'BAD_REQUEST' } });
});

test('A form without fields may have an empty body', async () => {
  const headers = { ...(await node.basic('member@example.com')), 'Content-Type': 'multipart/form-data; boundary=XX' };
  const answer = await node.call('/api/v1/mark_all_as_read', { method: 'POST', raw: '', headers });
  expect(answer).toMatchObject({ status: 200, body: { result: 'success' } });
});

test('Chat replaces lone surrogates and bytes that are not UTF-8 before it renders a message', async () => {
  const headers = await node.basic('member@example.com');
  const render = (raw: string | Buffer) =>
    node.call('/api/v1/messages/render', {
      method: 'POST',
      raw,
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
  const { body } = await render('{"content":"a\\ud800b \\ud83d\\ude00"}');
  expect(body.rendered).toBe(
    '<p>a\ufffdb <span aria-label="grinning" class="emoji emoji-1f600" role="img" title="grinning">:grinning:</span></p>',
  );
  expect((await render(Buffer.from('{"content":"caf\xe9"}', 'latin1'))).body.rendered).toBe('<p>caf\ufffd</p>');
});

test.each([
  ['bytes outside ASCII in its address', 'GET /system/company?x=\u{1f642} HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['headers without an end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
])('A request with %s gets an error that fits both envelopes', async (_, text, status) => {
  const socket = connect(node.port, '127.0.0.1');
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as object;
  expect(body).toMatchObject({ result: 'error', msg: expect.any(String), status, detail: expect.any(String) });
});

// deploy/nginx.conf on a real nginx: what it answers in place of a node that aborted a response, and what it passes on.
import type http from 'node:http';
import { until } from '../../support/until';
import { startNode, type Node } from './haproxy-process';
import { startNginx } from './nginx-process';

let nodes: [Node, Node];
let nginx: Awaited<ReturnType<typeof startNginx>> | undefined;
let url: string;

beforeAll(async () => {
  nodes = [await startNode('node-1'), await startNode('node-2')];
  nginx = await startNginx(nodes);
  ({ url } = nginx);
});

beforeEach(async () => {
  for (const node of nodes) node.reset();
  // A node that aborted a response gets no requests for two seconds.
  await until(async () => (await fetch(url)).ok);
  for (const node of nodes) node.seen.length = 0;
});

afterAll(async () => {
  await nginx?.stop();
  for (const node of nodes ?? []) await node.stop();
});

const unknown = expect.stringMatching(/outcome is unknown.*same Idempotency-Key/) as string;
const post = (path: string) => fetch(`${url}${path}`, { method: 'POST', body: '{}' });
const seen = () => nodes.flatMap((node) => node.seen);

const breaks: [string, http.RequestListener][] = [
  ['resets the connection', (request) => request.resume().once('end', () => request.socket.resetAndDestroy())],
  ['closes the connection', (request) => request.resume().once('end', () => request.socket.end())],
];

test.each(breaks)(
  'The proxy nginx answers 504 to a POST when the node %s, and sends the POST once',
  async (_what, answer) => {
    for (const node of nodes) node.answer = answer;
    const chat = await post('/api/v1/messages');
    expect([chat.status, await chat.json()]).toEqual([504, { result: 'error', msg: unknown, code: 'GATEWAY_TIMEOUT' }]);
    expect(seen()).toEqual(['POST /api/v1/messages']);
    const telephony = await post('/company/contacts');
    expect([telephony.status, await telephony.json()]).toEqual([
      504,
      { type: 'about:blank', title: 'Gateway Timeout', status: 504, detail: unknown },
    ]);
    expect(telephony.headers.get('content-type')).toBe('application/json');
  },
);

test('The proxy nginx passes on a 502 of a node, and never makes one itself', async () => {
  for (const node of nodes) node.answer = (_, response) => void response.writeHead(502).end('nothing was done');
  await until(async () => (await post('/company/contacts')).status === 502);
  const reply = await post('/company/contacts');
  expect([reply.status, await reply.text()]).toEqual([502, 'nothing was done']);
});

test.each(['/api/v1/messages', '/ws/'])(
  'The proxy nginx forwards requests to %s at once after both nodes have failed',
  async (path) => {
    for (const node of nodes) node.answer = breaks[0]![1];
    for (let i = 0; i < 4; i++) expect((await post(path)).status).toBe(504);
    for (const node of nodes) node.answer = (_, response) => void response.end(node.name);
    expect((await post(path)).status).toBe(200);
  },
);

test('The proxy nginx answers 504 when no node can be reached', async () => {
  for (const node of nodes) await node.stop();
  expect((await post('/api/v1/messages')).status).toBe(504);
  for (const node of nodes) await node.start();
});

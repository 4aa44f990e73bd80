// The connections of polls: kept, shared in order, or closed, as with every other request.
import { once } from 'node:events';
import { connect } from 'node:net';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';
import { chatIn } from '../../../support/kernel/parts';

let cluster: Cluster;
let node: TestNode;
let member: Record<string, string>;
let queue: string;

beforeAll(async () => {
  // Node keeps idle connections a second longer than it announces.
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off', KEEP_ALIVE_MS: '200' });
  await cluster.seed();
  node = await cluster.node();
  member = await node.basic('member@example.com');
  queue = (await node.call('/api/v1/register', { method: 'POST', headers: member })).body.queue_id;
  // Now the node has the user and the queue in memory, so the fast path answers.
  for (let warm = 0; warm < 2; warm += 1)
    await node.call('/api/v1/events', {
      query: { queue_id: queue, last_event_id: '-1', dont_block: 'true' },
      headers: member,
    });
});
afterAll(() => cluster.close());

const PATH = '/api/v1/events';

function request(query: string, { version = '1.1', more = '', by = member } = {}): string {
  const authorization = Object.values(by)[0]!;
  const host = `127.0.0.1:${node.port}`;
  return `GET ${PATH}?${query} HTTP/${version}\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n${more}\r\n`;
}
const held = () => `queue_id=${queue}&last_event_id=-1`;
const atOnce = (last = -1) => `queue_id=${queue}&last_event_id=${last}&dont_block=true`;

/** Everything received on a connection until it ends, or until this many responses have come. */
function talk(text: string, answers = Infinity): Promise<{ heard: string; isEnded: boolean }> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(node.port, '127.0.0.1', () => socket.write(text));
    socket.on('error', reject);
    socket.on('end', () => resolve({ heard, isEnded: true }));
    socket.on('data', (bytes) => {
      heard += bytes.toString();
      // Each is one line of JSON.
      if (heard.split('}\n').length <= answers) return;
      socket.destroy();
      resolve({ heard, isEnded: false });
    });
  });
}

const headOf = (heard: string): string[] =>
  heard
    .split('\r\n\r\n')[0]!
    .split('\r\n')
    .map((line) => line.replace(/^(X-Request-Id|Date|Content-Length): .*/, '$1'));

const waitingClients = (wanted: number) =>
  until(
    () => Promise.resolve(chatIn(node).polls.waiting),
    (count) => count === wanted,
  );
const MESSAGE = { type: 'stream', to: 'test', topic: 'polls' };
const say = async (content: string) =>
  node.call('/api/v1/messages', { form: { ...MESSAGE, content }, headers: await node.basic('other@example.com') });

/** Registers a new queue without events, and warms up the fast path. */
const registerAnew = async () => {
  queue = (await node.call('/api/v1/register', { method: 'POST', headers: member })).body.queue_id;
  for (let warm = 0; warm < 2; warm += 1) await talk(request(atOnce()), 1);
};

test('The fast path writes the same response headers as Node', async () => {
  const fast = await talk(request(atOnce()), 1);
  // The application answers a poll with more parameters.
  const ordinary = await talk(request(`${atOnce()}&include_subscribers=false`), 1);
  const last = await talk(request(atOnce(), { more: 'Connection: close\r\n' }));
  expect([fast.isEnded, last.isEnded]).toEqual([false, true]);
  const kept = headOf(ordinary.heard).slice(-3);
  expect(kept).toEqual(['Date', 'Connection: keep-alive', expect.stringMatching(/^Keep-Alive: timeout=\d+$/)]);
  expect(headOf(fast.heard)).toEqual([...headOf(last.heard).slice(0, -2), ...kept]);
  const date = /^Date: (.*)\r$/m.exec(fast.heard)![1]!;
  expect(new Date(date).toUTCString()).toBe(date);
});

/** The responses to requests on one connection, each sent after the previous response. */
async function converse(requests: readonly string[]): Promise<string[]> {
  const socket = connect(node.port, '127.0.0.1');
  const answers: string[] = [];
  for (const text of requests) {
    socket.write(text);
    answers.push(await new Promise((resolve) => socket.once('data', (bytes) => resolve(bytes.toString()))));
  }
  socket.destroy();
  return answers;
}

test('Each request on one connection is judged by its own headers and query', async () => {
  await registerAnew();
  const other = await node.basic('other@example.com');
  const asOften = { by: other, more: 'X-Request-Id: other\r\n' };
  const mine = request(atOnce());
  const answers = await converse([
    mine,
    mine,
    request(atOnce(), { more: 'X-Request-Id: given\r\n' }),
    mine,
    request(atOnce(), asOften),
    request(atOnce(), asOften),
    mine,
    request(atOnce(), { by: { Authorization: 'Basic bm9ib2R5OmtleQ==' } }),
    mine,
    request(`queue_id=1:a&last_event_id=-1&dont_block=true`),
    mine,
  ]);
  const statuses = answers.map((answer) => Number(answer.slice(9, 12)));
  expect(statuses).toEqual([200, 200, 200, 200, 400, 400, 200, 401, 200, 400, 200]);
  const given = answers.map((answer) => /X-Request-Id: (given|other)\r/i.exec(answer)?.[1]);
  expect(given.map((id, at) => (id === undefined ? [] : [at, id])).flat()).toEqual([
    2,
    'given',
    4,
    'other',
    5,
    'other',
  ]);
});

test('An HTTP/1.0 connection is closed after its response', async () => {
  const { heard, isEnded } = await talk(request(atOnce(), { version: '1.0' }));
  expect(isEnded).toBe(true);
  expect(heard).toContain('"events":[]');
});

test('Responses come in the order of the requests, even behind a waiting poll', async () => {
  const ids = ['held', 'first', 'second'].map((id) => `X-Request-Id: ${id}\r\n`);
  const whole =
    request(held(), { more: ids[0]! }) + request(atOnce(), { more: ids[1]! }) + request(atOnce(), { more: ids[2]! });
  const talking = talk(whole, 3);
  await waitingClients(1);
  await say('for the one that is held');
  const { heard } = await talking;
  expect([...heard.matchAll(/X-Request-Id: (\w+)/gi)].map(([, id]) => id)).toEqual(['held', 'first', 'second']);
});

test('A request pipelined behind a waiting poll is processed at once', async () => {
  await registerAnew();
  const body = new URLSearchParams({ ...MESSAGE, content: 'from behind' }).toString();
  const post = `POST /api/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${node.port}\r\nAuthorization: ${Object.values(member)[0]}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { heard } = await talk(request(held()) + post + request(atOnce()), 3);
  const answers = heard.split('HTTP/1.1 200 OK').slice(1);
  expect(answers.map((answer) => /"events"|"id"/.exec(answer)![0])).toEqual(['"events"', '"id"', '"events"']);
  expect(answers[0]).toContain('from behind');
});

/** Resolves when the node has ended a connection that was idle for the keep-alive timeout. */
async function idleConnectionEnds(): Promise<void> {
  const socket = connect(node.port, '127.0.0.1', () => socket.write(request(atOnce())));
  socket.resume();
  await once(socket, 'close');
}

test.each([
  ['on the fast path', ''],
  ['in the application', '&include_subscribers=false'],
])('A poll that waits %s outlives the keep-alive timeout, which starts after its response', async (_, words) => {
  await registerAnew();
  const talking = talk(request(atOnce()) + request(held() + words), 3);
  await waitingClients(1);
  await idleConnectionEnds();
  expect(chatIn(node).polls.waiting).toBe(1);
  await say('after a long time');
  const { heard, isEnded } = await talking;
  expect(heard).toContain('after a long time');
  expect(isEnded).toBe(true);
});

test('A poll ends when its client hangs up', async () => {
  await registerAnew();
  const socket = connect(node.port, '127.0.0.1', () => socket.write(request(held())));
  await waitingClients(1);
  socket.destroy();
  await waitingClients(0);
});

test('The same headers with another method are handled as a different request', async () => {
  const form = { event_types: '["message"]' };
  const { body } = await node.call('/api/v1/register', { method: 'POST', form, headers: member });
  const own = body.queue_id as string;
  const poll = request(`queue_id=${own}&last_event_id=-1&dont_block=true`);
  const ending = request(`queue_id=${own}`).replace('GET', 'DELETE');
  const socket = connect(node.port, '127.0.0.1');
  const heard: string[] = [];
  for (const text of [poll, poll, ending, poll]) {
    socket.write(text);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    heard.push(bytes.toString());
  }
  socket.destroy();
  expect(heard.map((answer) => answer.slice('HTTP/1.1 '.length, 12))).toEqual(['200', '200', '200', '400']);
  expect(heard[2]).not.toContain('"events"');
  expect(heard[3]).toContain('BAD_EVENT_QUEUE_ID');
});

test('A draining node answers its waiting polls and closes their connections', async () => {
  await registerAnew();
  const talking = talk(request(held()));
  await waitingClients(1);
  await node.close();
  const { heard, isEnded } = await talking;
  expect(heard).toContain('"events":[]');
  expect(headOf(heard)).toContain('Connection: close');
  expect(isEnded).toBe(true);
});

// Events that a client could not receive are sent again; events that it received are not repeated forever.
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let member: Record<string, string>;
let other: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await node.basic('member@example.com');
  other = await node.basic('other@example.com');
});
afterAll(() => cluster.close());

const MESSAGES = 40;

async function register(headers: Record<string, string>): Promise<string> {
  const form = { event_types: '["message"]', fetch_event_types: '["message"]' };
  const { body } = await node.call('/api/v1/register', { form, headers });
  return `/api/v1/events?queue_id=${(body as { queue_id: string }).queue_id}&last_event_id=`;
}

/** Sends many long messages, and waits until all of them are published: responses may come earlier. */
async function sendMessages(count: number): Promise<void> {
  const witness = await register(other);
  for (let sent = 0; sent < count; sent += 1) {
    const form = { type: 'stream', to: 'test', topic: 'lost', content: `${sent} ${'x'.repeat(9000)}` };
    await node.call('/api/v1/messages', { form, headers: other });
  }
  for (let heard = 0, last = -1; heard < count;) {
    const { events } = (await node.call(`${witness}${last}`, { headers: other })).body as { events: { id: number }[] };
    heard += events.length;
    last = events.at(-1)!.id;
  }
}

/** The path of a poll with about 400 KB of events. */
async function fillQueue(): Promise<string> {
  const path = await register(member);
  await sendMessages(MESSAGES);
  return `${path}-1`;
}

/** Polls, and breaks the connection while most of the response is on its way; returns the response's first line. */
function losePoll(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    socket.once('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${member['Authorization']}\r\n\r\n`);
    socket.once('data', (chunk) => {
      // A reset, as when a process is killed or a load balancer drops an unread connection.
      socket.resetAndDestroy();
      resolve(chunk.toString('latin1').split('\r\n', 1)[0]!);
    });
  });
}

/** Polls on a connection that ends with the response, and reads all of it. */
function pollAnew(path: string): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(`${node.url}${path}`, { headers: member, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ status: response.statusCode!, bytes }));
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end();
  });
}

/** The fast path takes a plain poll; a parameter that it does not know sends the poll through the application. */
const ways = [
  ['the in-memory path', ''],
  ['the ordinary path', '&apply_markdown=false'],
] as const;

describe.each(ways)('Polls on %s', (_, more) => {
  test('A poll whose answer was lost with its connection is served however often that happens', async () => {
    const path = `${await fillQueue()}${more}`;
    for (let times = 0; times < 60; times += 1) expect(await losePoll(path)).toBe('HTTP/1.1 200 OK');
    const received = await node.call(path, { headers: member });
    expect(received.status).toBe(200);
    expect(received.body.events).toHaveLength(MESSAGES);
  });

  test('A burst of polls on new connections passes, but a client that goes on is refused', async () => {
    const path = `${await fillQueue()}${more}`;
    const answers = [];
    for (let times = 0; times < 8; times += 1) answers.push(await pollAnew(path));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    let sent = 0;
    for (let status = 200; status === 200 && sent < 30_000_000;) {
      const answer = await pollAnew(path);
      sent += answer.bytes;
      ({ status } = answer);
    }
    expect(sent).toBeLessThan(15_000_000);
    // The wait may be over at once; what is sent then costs seconds again.
    const further = [await pollAnew(path), await pollAnew(path)];
    expect(further.map(({ status }) => status)).toContain(429);
  });

  test('A client that repeats a poll on a connection that stays open is refused, because it has received the events', async () => {
    const path = `${await fillQueue()}${more}`;
    const statuses = [];
    for (let times = 0; times < 3; times += 1) statuses.push((await node.call(path, { headers: member })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('A client that acknowledges every event is no longer limited for its earlier repetitions', async () => {
    const path = `${await fillQueue()}${more}`;
    const { events } = (await node.call(path, { headers: member })).body as { events: { id: number }[] };
    await node.call(path, { headers: member });
    expect((await node.call(path, { headers: member })).status).toBe(429);
    const next = path.replace('last_event_id=-1', `last_event_id=${events.at(-1)!.id}`);
    await sendMessages(12);
    for (let times = 0; times < 2; times += 1) {
      expect((await node.call(next, { headers: member })).status).toBe(200);
    }
  });
});

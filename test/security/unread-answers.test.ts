/** Unread responses are limited and their connections closed, and other clients do not notice. */
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { killAll } from '../support/processes/processes';
import { until } from '../support/until';
import { getRequest, slowReader, type SlowReader } from './unread-client';

let cluster: Cluster;
let node: MainNode;
let member: { Authorization: string };
let other: { Authorization: string };
const readers: SlowReader[] = [];

/** Renders to about 80 KB of HTML. */
const LARGE = '\u{1f4a9}'.repeat(1000);
const MESSAGES = 95;
const LIMIT = 80_000_000;

beforeAll(async () => {
  cluster = await openCluster({
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
    SLOW_READER_MS: '2000',
    UNSENT_LIMIT_BYTES: String(LIMIT),
    // More than the buffers of both ends hold: what they hold counts as read.
    MESSAGES_LIMIT_BYTES: '16000000',
  });
  await cluster.seed();
  node = await startMainNode(cluster.environment);
  member = await node.basic('member@example.com');
  other = await node.basic('other@example.com');
  for (let at = 0; at < MESSAGES; at += 1) await say('big', LARGE);
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});
afterEach(() => {
  for (const { socket } of readers.splice(0)) socket.destroy();
});

const say = (topic: string, content: string) =>
  node.call('/api/v1/messages', { form: { type: 'stream', to: 'test', topic, content }, headers: member });

const BIG = `/api/v1/messages?anchor=10000000000000000&num_before=${MESSAGES}&num_after=0`;

function ask(path: string, headers: Record<string, string>): SlowReader {
  const reader = slowReader(node.port, getRequest(path, headers));
  readers.push(reader);
  return reader;
}

const begun = (reader: SlowReader) => until(() => reader.status());

/** The number of closed connections that the node reports. */
const cuts = () =>
  [...node.output().matchAll(/"connections":(\d+)[^\n]*closed connections of slow readers/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );

async function expectCut(reader: SlowReader): Promise<void> {
  const before = cuts();
  await begun(reader);
  expect(reader.status()).toBe('200');
  await until(cuts, (now) => now > before);
  await reader.readOn();
  expect(reader.isClosed()).toBe(true);
  expect(reader.bodyBytes()).toBeLessThan(Number(reader.header('Content-Length')));
}

test('A connection whose client does not read its response is closed', async () => {
  await expectCut(ask(BIG, member));
});

test('A client that reads slowly and steadily gets the whole answer', async () => {
  const before = cuts();
  const reader = ask(BIG, member);
  await begun(reader);
  await reader.readOn(25);
  expect(reader.bodyBytes()).toBe(Number(reader.header('Content-Length')));
  expect([reader.isClosed(), cuts()]).toEqual([false, before]);
});

test('A connection whose client does not read a download is cut, and another client gets the whole file', async () => {
  const form = new FormData();
  form.append('file', new Blob([Buffer.alloc(24 * 1024 * 1024, 'x')]), 'large.bin');
  const { body } = await node.call('/api/v1/user_uploads', { method: 'POST', raw: form, headers: member });
  await expectCut(ask(body.uri as string, member));
  const whole = await node.call(body.uri as string, { headers: member });
  expect([whole.status, whole.text.length]).toEqual([200, 24 * 1024 * 1024]);
});

test('A poll that waits for events longer than slow readers may take is answered', async () => {
  const { body } = await node.call('/api/v1/register', { form: { event_types: '["message"]' }, headers: other });
  const query = `queue_id=${encodeURIComponent(body.queue_id as string)}&last_event_id=-1`;
  const poll = ask(`/api/v1/events?${query}`, other);
  // Another connection is closed meanwhile, which takes longer than a slow reader is allowed.
  await expectCut(ask(BIG, member));
  expect([poll.isClosed(), poll.status()]).toEqual([false, undefined]);
  await say('small', 'hello');
  await begun(poll);
  expect(poll.status()).toBe('200');
});

test('A poll response larger than one write is complete, and its connection stays open', async () => {
  const form = { event_types: '["message"]', apply_markdown: 'true' };
  const { body } = await node.call('/api/v1/register', { form, headers: other });
  let lastEventId = -1;
  for (let times = 0; times < 3; times += 1) {
    for (let at = 0; at < 5; at += 1) await say('small', LARGE);
    const query = { queue_id: body.queue_id as string, last_event_id: String(lastEventId) };
    const polled = await node.call('/api/v1/events', { query, headers: other });
    // One write is 64 KiB; one event is larger.
    expect(polled.text.length).toBeGreaterThan(70_000);
    expect(polled.body.events.length).toBeGreaterThan(0);
    lastEventId = polled.body.events.at(-1).id as number;
  }
});

test('A caller who leaves many answers unread gets 503 with Retry-After, and others are served', async () => {
  const unread = Array.from({ length: 8 }, () => ask(BIG, member));
  await Promise.all(unread.map(begun));
  const refused = unread.filter((reader) => reader.status() === '503');
  expect(refused.length).toBeGreaterThan(0);
  expect(unread.filter((reader) => reader.status() === '200').length).toBeGreaterThan(0);
  for (const reader of refused) expect(Number(reader.header('Retry-After'))).toBeGreaterThan(0);
  const served = await node.call(BIG, { headers: other });
  expect([served.status, served.body.messages.length > 0]).toEqual([200, true]);
});

test('Unread bytes stop counting when their connection is closed', async () => {
  const unread = Array.from({ length: 8 }, () => ask(BIG, member));
  await Promise.all(unread.map(begun));
  for (const { socket } of unread) socket.destroy();
  await until(
    () => node.call(BIG, { headers: member }),
    ({ status }) => status === 200,
  );
});

/** Event streams: one connection that every event is written to, which can continue on any node. */
import { connect } from 'node:net';
import { openEventStream, type EventStream } from '../../../support/chat/event-stream';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { chatIn } from '../../../support/kernel/parts';
import { until } from '../../../support/until';

let cluster: Cluster;
let one: TestNode;
let two: TestNode;
const people: Record<string, Record<string, string>> = {};
const open: EventStream[] = [];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', HEARTBEAT_MIN_MS: '1000', HEARTBEAT_MAX_MS: '1500' });
  await cluster.seed();
  one = await cluster.node();
  two = await cluster.node();
  for (const name of ['member', 'other']) people[name] = await one.basic(`${name}@example.com`);
});
afterEach(() => open.splice(0).forEach((each) => each.close()));
afterAll(() => cluster.close());

const register = async (who: string, event_types = '["message"]'): Promise<string> =>
  (await one.call('/api/v1/register', { form: { event_types }, headers: people[who]!, method: 'POST' })).body.queue_id;

async function follow(who: string, query: Record<string, string>, at = one, more: Record<string, string> = {}) {
  const stream = await openEventStream(at.url, query, { ...people[who]!, ...more });
  open.push(stream);
  return stream;
}

async function send(content: string, at = one): Promise<void> {
  const form = { type: 'stream', to: 'test', topic: 'streams', content };
  const { status, body } = await at.call('/api/v1/messages', { form, headers: people['member']! });
  expect({ status, ...body }).toMatchObject({ status: 200, result: 'success' });
}

const messages = ({ events }: EventStream) => events.filter(({ type }) => type === 'message');
const contents = (stream: EventStream): string[] => messages(stream).map(({ message }) => message.content);
const isWaiting = (node: TestNode, count = 1) => until(() => chatIn(node).polls.waiting === count);

test('A stream gets the events of every node, in order, with rising ids', async () => {
  const stream = await follow('other', { queue_id: await register('other') });
  expect(stream.status).toBe(200);
  for (const word of ['a', 'b', 'c', 'd']) await send(word, word < 'c' ? one : two);
  await until(() => contents(stream).length === 4);
  expect(contents(stream)).toEqual(['a', 'b', 'c', 'd']);
  const ids = stream.events.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
});

test('A stream has the headers of every answer, and tells proxies not to buffer it', async () => {
  const queue_id = await register('other');
  const stream = await follow('other', { queue_id }, one, { 'X-Request-Id': 'a-stream' });
  const { headers } = await one.call('/api/v1/users/me', { headers: people['other']! });
  const own = new Set(['content-type', 'content-length', 'x-request-id', 'date', 'connection', 'keep-alive']);
  const usual = [...headers].filter(([name]) => !own.has(name));
  expect(usual.length).toBeGreaterThan(5);
  expect(stream.headers).toMatchObject(Object.fromEntries(usual));
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    'x-request-id': 'a-stream',
  });
});

test('A stream begins with a comment, so that a client notices a proxy that buffers', async () => {
  const stream = await follow('other', { queue_id: await register('other') });
  await until(() => stream.text() !== '');
  expect(stream.text()).toMatch(/^:\n\n/);
});

test('Streams get heartbeats, whose ids rise', async () => {
  const stream = await follow('other', { queue_id: await register('other') });
  await until(() => stream.events.length === 2);
  const [first, second] = stream.events;
  expect([first!.type, second!.type]).toEqual(['heartbeat', 'heartbeat']);
  expect(second!.id).toBeGreaterThan(first!.id);
  await send('after them');
  await until(() => messages(stream).length === 1);
  expect(messages(stream)[0]!.id).toBeGreaterThan(second!.id);
});

test('A client that lost its connection continues on another node, and misses nothing', async () => {
  const queue_id = await register('other');
  const first = await follow('other', { queue_id });
  await send('before');
  await until(() => messages(first).length === 1);
  const last = first.events.at(-1)!.id;
  first.close();
  await send('between');
  const second = await follow('other', { queue_id, last_event_id: '-1' }, two, { 'Last-Event-ID': String(last) });
  await send('after');
  await until(() => messages(second).length === 2);
  expect(contents(second)).toEqual(['between', 'after']);
});

test('A second connection to the same queue ends the first, on any node, with a hint when to come back', async () => {
  const queue_id = await register('other');
  const first = await follow('other', { queue_id });
  await isWaiting(one);
  const second = await follow('other', { queue_id }, two);
  await until(() => first.isOver());
  expect(first.text()).toMatch(/retry: \d+\n\n$/);
  await send('to the second');
  await until(() => messages(second).length === 1);
});

test('A stream that cannot begin is refused as any request is', async () => {
  const queue_id = await register('other');
  const refused = async (who: string, query: Record<string, string>, more: Record<string, string> = {}) => {
    const stream = await follow(who, query, one, more);
    await until(() => stream.isOver());
    return { status: stream.status, ...(JSON.parse(stream.text()) as object) };
  };
  expect(await refused('other', { queue_id: '1:abc' })).toMatchObject({ status: 400, code: 'BAD_EVENT_QUEUE_ID' });
  expect(await refused('other', { queue_id, last_event_id: 'x' })).toMatchObject({
    status: 400,
    code: 'REQUEST_VARIABLE_INVALID',
  });
  expect(await refused('other', { queue_id }, { 'Last-Event-ID': '5000000' })).toMatchObject({
    status: 400,
    msg: 'Event 5000000 was not in this queue',
  });
  expect(await refused('member', { queue_id })).toMatchObject({
    status: 400,
    msg: 'You are not authorized to get events from this queue',
  });
  expect(await refused('other', { queue_id }, { Authorization: 'Basic eHg6eHg=' })).toMatchObject({ status: 401 });
});

test('A deleted queue ends its stream', async () => {
  const queue_id = await register('other');
  const stream = await follow('other', { queue_id });
  await isWaiting(one);
  await two.call('/api/v1/events', { query: { queue_id }, headers: people['other']!, method: 'DELETE' });
  await until(() => stream.isOver());
});

test('The owner of a new bot gets its key over a stream, and what follows in order', async () => {
  const stream = await follow('member', { queue_id: await register('member', '["realm_bot","message"]') });
  await isWaiting(one);
  const form = { full_name: 'Streamed Bot', short_name: 'streamed' };
  const { body } = await one.call('/api/v1/bots', { form, headers: people['member']! });
  await send('after the bot');
  await until(() => messages(stream).length === 1);
  const events = stream.events.filter(({ type }) => type !== 'heartbeat');
  expect(events.map(({ type }) => type)).toEqual(['realm_bot', 'message']);
  expect(events[0]!['bot'].api_key).toBe(body.api_key);
});

test('A client that reads too slowly is disconnected, and continues where it was', async () => {
  const queue_id = await register('other');
  const slow = await follow('other', { queue_id });
  await isWaiting(one);
  slow.pause();
  const long = 'word '.repeat(1990);
  const sent = Array.from({ length: 1200 }, (_, at) => `${at}: ${long}`);
  for (let at = 0; at < sent.length; at += 8) await Promise.all(sent.slice(at, at + 8).map((text) => send(text)));
  await isWaiting(one, 0);
  slow.resume();
  await until(() => slow.isOver());
  const numbers = (stream: EventStream) => contents(stream).map((text) => Number.parseInt(text, 10));
  expect(slow.events.length).toBeLessThan(sent.length);
  const last = String(slow.events.at(-1)?.id ?? -1);
  const rest = await follow('other', { queue_id }, two, { 'Last-Event-ID': last });
  await until(() => numbers(slow).length + numbers(rest).length === sent.length);
  const all = [...numbers(slow), ...numbers(rest)].sort((a, b) => a - b);
  expect(all).toEqual(sent.map((_, at) => at));
});

test('If slow streams leave too much unread together, the slowest is disconnected, and the others go on', async () => {
  const small = await cluster.node({ UNSENT_LIMIT_BYTES: '1500000' });
  const queues = [await register('other'), await register('other'), await register('other')];
  const [fast, ...slow] = await Promise.all(queues.map((queue_id) => follow('other', { queue_id }, small)));
  await isWaiting(small, 3);
  for (const each of slow) each.pause();
  const long = 'word '.repeat(1990);
  let sent = 0;
  while (chatIn(small).polls.waiting === 3)
    await Promise.all(Array.from({ length: 8 }, () => send(`${sent++}: ${long}`, small)));
  expect(chatIn(small).polls.waiting).toBe(2);
  await until(() => messages(fast!).length === sent);
  for (const each of slow) each.resume();
  const cut = await until(
    () => slow.findIndex((each) => each.isOver()),
    (at) => at !== -1,
  );
  const left = slow[1 - cut]!;
  await until(() => messages(left).length === sent);
  const seen = messages(slow[cut]!).length;
  expect(seen).toBeLessThan(sent);
  const last = String(slow[cut]!.events.at(-1)?.id ?? -1);
  const rest = await follow('other', { queue_id: queues[1 + cut]! }, two, { 'Last-Event-ID': last });
  await until(() => messages(rest).length === sent - seen);
  expect([fast!.isOver(), left.isOver()]).toEqual([false, false]);
});

test('A stream that is asked for behind another request on the same connection is told to come again', async () => {
  const queue_id = await register('other');
  const { hostname, port, host } = new URL(one.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
  const ask = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${people['other']!['Authorization']}\r\n${more}\r\n`;
  const poll = `/api/v1/events?queue_id=${await register('member')}&last_event_id=-1`;
  const waiting = ask(poll).replace(people['other']!['Authorization']!, people['member']!['Authorization']!);
  socket.write(waiting + ask(`/api/v1/events?queue_id=${queue_id}`, 'Accept: text/event-stream\r\n'));
  await isWaiting(one);
  await send('for the first');
  await until(() => /retry: \d+/.test(text));
  expect(text.match(/^HTTP\/1.1 200 /gm)).toHaveLength(2);
  socket.destroy();
});

test('A draining node ends its streams with a hint when to come back', async () => {
  const leaving = await cluster.node();
  const queue_id = await register('other');
  const stream = await follow('other', { queue_id }, leaving);
  await isWaiting(leaving);
  await leaving.close();
  await until(() => stream.isOver());
  expect(stream.text()).toMatch(/retry: \d+\n\n$/);
});

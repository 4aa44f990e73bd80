import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let refusing: TestNode;
let cutting: TestNode;
let headers: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  refusing = await cluster.node();
  cutting = await cluster.node({ CHAT_TRUNCATE: 'on' });
  headers = await refusing.basic('member@example.com');
});
afterAll(() => cluster.close());

const send = (node: TestNode, content: string, topic = 'lengths') =>
  node.call('/api/v1/messages', { form: { type: 'stream', to: 'test', topic, content }, headers });
const edit = (node: TestNode, id: number, form: Record<string, string>) =>
  node.call(`/api/v1/messages/${id}`, { method: 'PATCH', form, headers });
const stored = async (id: number) =>
  (await refusing.kernel.mysql('chat_messages').where({ id }).first('topic', 'content')) as {
    topic: string;
    content: string;
  };

const LONG_TOPIC = 'x'.repeat(61);
const CUT_TOPIC = `${'x'.repeat(57)}...`;
const LONG = 'y'.repeat(10_001);
const CUT = `${'y'.repeat(9980)}\n[message truncated]`;

test('Without CHAT_TRUNCATE a long topic and a long message are refused', async () => {
  expect(await send(refusing, 'short', LONG_TOPIC)).toMatchObject({
    status: 400,
    body: { msg: 'Topic is too long (limit: 60 characters)' },
  });
  expect(await send(refusing, LONG)).toMatchObject({
    status: 400,
    body: { msg: 'Message is too long (limit: 10000 bytes)' },
  });
});

test('With CHAT_TRUNCATE=on a long topic and a long message are cut and marked as truncated', async () => {
  const { status, body } = await send(cutting, LONG, LONG_TOPIC);
  expect(status).toBe(200);
  expect(await stored(body.id)).toEqual({ topic: CUT_TOPIC, content: CUT });
});

test('With CHAT_TRUNCATE=on a topic and a message within the limits are stored whole', async () => {
  const [topic, content] = ['x'.repeat(60), 'y'.repeat(10_000)];
  const { body } = await send(cutting, `${content}  \n`, ` ${topic} `);
  expect(await stored(body.id)).toEqual({ topic, content });
});

test('Truncation never splits a character', async () => {
  const { body } = await send(cutting, '\u8a9e'.repeat(3334), '\u{1f680}'.repeat(61));
  expect(await stored(body.id)).toEqual({
    topic: `${'\u{1f680}'.repeat(57)}...`,
    content: `${'\u8a9e'.repeat(3326)}\n[message truncated]`,
  });
});

test('With CHAT_TRUNCATE=on an edit is cut like a new message', async () => {
  const { id } = (await send(cutting, 'short')).body;
  expect((await edit(refusing, id, { content: LONG })).status).toBe(400);
  expect((await edit(cutting, id, { content: LONG, topic: LONG_TOPIC })).status).toBe(200);
  expect(await stored(id)).toEqual({ topic: CUT_TOPIC, content: CUT });
});

test('With CHAT_TRUNCATE=on empty text and null bytes are still refused', async () => {
  expect((await send(cutting, '  ')).body).toMatchObject({ msg: 'Message must not be empty' });
  expect((await send(cutting, `${LONG}\0`)).body).toMatchObject({ msg: 'Message must not contain null bytes' });
  expect((await send(cutting, 'short', ' ')).body).toMatchObject({ msg: "Topic can't be empty" });
});

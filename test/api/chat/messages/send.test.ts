import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;
let member: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
  member = await node.basic('member@example.com');
});
afterAll(() => cluster.close());

type Fields = Record<string, string>;
const send = (form: Fields, headers: Fields = member, at = node) => at.call('/api/v1/messages', { form, headers });
const toTest = (more: Fields = {}) => ({ type: 'stream', to: 'test', topic: 'hello', content: 'Hi', ...more });
const rowOf = async (id: number) =>
  (await node.kernel.mysql('chat_messages').where({ id }).first()) as Record<string, unknown>;
const error = (msg: unknown, code?: string) => ({
  status: 400,
  body: { result: 'error', msg, ...(code ? { code } : {}) },
});

describe('POST /messages', () => {
  test('A message is sent to a stream by name in any case, with topic or subject', async () => {
    const first = await send(toTest());
    expect(first).toMatchObject({ status: 200, body: { result: 'success', msg: '', id: expect.any(Number) } });
    expect(await rowOf(first.body.id)).toMatchObject({ topic: 'hello', content: 'Hi', client: 'node' });
    const { body } = await send({ type: 'stream', to: 'TEST', subject: 'by subject', content: 'Hi' });
    expect(await rowOf(body.id)).toMatchObject({ topic: 'by subject' });
    expect(body.id).toBe(first.body.id + 1);
  });

  test.each(['2026', 'true', 'null', '-1.5', '{}', 'Sales, EMEA', '4 "quoted" ones'])(
    'A message reaches the stream named %s by its bare name, as a JSON string and in a list',
    async (name) => {
      const subscriptions = JSON.stringify([{ name }]);
      await node.call('/api/v1/users/me/subscriptions', { form: { subscriptions }, headers: member });
      const { id } = await node.kernel.mysql('chat_streams').where({ name }).first('id');
      for (const to of [name, JSON.stringify(name), JSON.stringify([name])]) {
        const { body } = await send(toTest({ to }));
        expect({ to, recipient: (await rowOf(body.id))?.['recipient_id'] }).toEqual({ to, recipient: id });
      }
    },
  );

  test('A message reaches a stream by its bare id unless another stream has that name', async () => {
    const { id } = await node.kernel.mysql('chat_streams').where({ name: 'test' }).first('id');
    const reached = async (to: string) => (await rowOf((await send(toTest({ to }))).body.id))['recipient_id'];
    expect(await reached(String(id))).toBe(id);
    expect(await send(toTest({ to: '99999' }))).toMatchObject(error("Stream '99999' does not exist"));
    const subscriptions = JSON.stringify([{ name: String(id) }]);
    await node.call('/api/v1/users/me/subscriptions', { form: { subscriptions }, headers: member });
    expect(await reached(String(id))).not.toBe(id);
    expect(await reached(`[${id}]`)).toBe(id);
  });

  test('All notations of the same recipients of a private message mean one conversation', async () => {
    const { body: me } = await node.call('/api/v1/users/me', { headers: member });
    const { body: you } = await node.call('/api/v1/users/me', { headers: await node.basic('other@example.com') });
    const recipients = [];
    for (const to of [
      '["other@example.com"]',
      'other@example.com',
      ' OTHER@example.com , member@example.com',
      `[${you.user_id}]`,
      String(you.user_id),
      `${you.user_id}, ${me.user_id}`,
    ]) {
      const { body } = await send({ type: 'private', to, content: 'psst' });
      recipients.push((await rowOf(body.id))['recipient_id']);
    }
    expect(new Set(recipients).size).toBe(1);
    const { body: alone } = await send({ type: 'private', to: `[${me.user_id}]`, content: 'note' });
    expect(recipients).not.toContain((await rowOf(alone.id))['recipient_id']);
  });

  test('A JSON body may contain lists where a form contains encoded ones', async () => {
    const people = ['owner@example.com', 'other@example.com'];
    const json = { type: 'private', to: people, content: 'Hi' };
    const { body } = await node.call('/api/v1/messages', { json, headers: member });
    const inForm = await send({ type: 'private', to: JSON.stringify(people), content: 'Hi' });
    expect(body).toMatchObject({ result: 'success' });
    const { recipient_id: recipient } = await rowOf(body.id);
    expect(await rowOf(inForm.body.id)).toMatchObject({ recipient_id: recipient });
    const subscriptions = { delete: ['test'], add: [] };
    const changed = await node.call('/api/v1/users/me/subscriptions', {
      method: 'PATCH',
      json: subscriptions,
      headers: member,
    });
    expect(changed.body).toMatchObject({ result: 'success', removed: ['test'] });
    await send(toTest());
    const joined = { subscriptions: [{ name: 'test' }] };
    await node.call('/api/v1/users/me/subscriptions', { json: joined, headers: member });
  });

  test('A message with a wrong recipient, type, topic or content is refused with the reason', async () => {
    expect(await send(toTest({ to: 'nowhere' }))).toMatchObject({
      status: 400,
      body: {
        result: 'error',
        msg: "Stream 'nowhere' does not exist",
        code: 'STREAM_DOES_NOT_EXIST',
        stream: 'nowhere',
      },
    });
    expect(await send(toTest({ to: '[99999]' }))).toMatchObject(
      error("Stream with ID '99999' does not exist", 'STREAM_DOES_NOT_EXIST'),
    );
    expect(await send(toTest({ to: '[]' }))).toMatchObject(error('Missing stream', 'BAD_REQUEST'));
    expect(await send(toTest({ to: '["test","general"]' }))).toMatchObject(error('Cannot send to multiple streams'));
    expect(await send(toTest({ to: '[1,"a"]' }))).toMatchObject(
      error(`Bad value for 'to': [1,"a"]`, 'REQUEST_VARIABLE_INVALID'),
    );
    expect(await send(toTest({ type: 'shout' }))).toMatchObject(error('Invalid message type', 'BAD_REQUEST'));
    expect(await send(toTest({ content: '  \n ' }))).toMatchObject(error('Message must not be empty'));
    expect(await send(toTest({ content: 'a\0b' }))).toMatchObject(error('Message must not contain null bytes'));
    expect(await send(toTest({ topic: '   ' }))).toMatchObject(error("Topic can't be empty"));
    expect(await send({ type: 'stream', to: 'test', content: 'x' })).toMatchObject(error('Missing topic'));
    expect(await send(toTest({ subject: 'too' }))).toMatchObject(
      error("Can't decide between 'topic' and 'subject' arguments", 'REQUEST_CONFUSING_VAR'),
    );
    expect(await send({ type: 'private', to: '[]', content: 'x' })).toMatchObject(
      error('Message must have recipients'),
    );
    expect(await send({ type: 'private', to: 'eeshan@zulip.com', content: 'x' })).toMatchObject(
      error("Invalid email 'eeshan@zulip.com'", 'BAD_REQUEST'),
    );
    expect(await send({ type: 'private', to: '[424242]', content: 'x' })).toMatchObject(
      error('Invalid user ID 424242'),
    );
    expect(await send({ type: 'stream', to: 'test', topic: 'x' })).toMatchObject(
      error("Missing 'content' argument", 'REQUEST_VARIABLE_MISSING'),
    );
  });

  test('Content is limited in bytes and topics in characters, and the errors name the limits', async () => {
    expect((await send(toTest({ content: 'ü'.repeat(5000) }))).status).toBe(200);
    expect(await send(toTest({ content: `${'ü'.repeat(5000)}x` }))).toMatchObject(
      error(expect.stringContaining('10000 bytes')),
    );
    expect((await send(toTest({ topic: '😀'.repeat(60) }))).status).toBe(200);
    expect(await send(toTest({ topic: 'x'.repeat(61) }))).toMatchObject(
      error(expect.stringContaining('60 characters')),
    );
  });

  test('A user who was just subscribed to a private stream can send to it on every node', async () => {
    const [owner, other] = [await node.basic('owner@example.com'), await node.basic('other@example.com')];
    const subscribe = (form: Fields, headers: Fields) => node.call('/api/v1/users/me/subscriptions', { form, headers });
    const subscriptions = '[{"name":"doors"}]';
    await subscribe({ subscriptions, invite_only: 'true' }, owner);
    const nodes = [node, second];
    for (const at of nodes) expect((await send(toTest({ to: 'doors' }), owner, at)).status).toBe(200);
    for (const at of nodes) expect((await send(toTest({ to: 'doors' }), other, at)).status).toBe(400);
    await subscribe({ subscriptions, principals: '["other@example.com"]' }, owner);
    for (const at of nodes) expect((await send(toTest({ to: 'doors' }), other, at)).status).toBe(200);
  });

  test('Private and announcement-only streams refuse members, and guests and bots can send elsewhere', async () => {
    const owner = await node.basic('owner@example.com');
    const guest = await node.basic('guest@example.com');
    const bot = await node.basic('helper-bot@example.com');
    const hook = await node.basic('webhook-bot@example.com');
    expect(await send(toTest({ to: 'leadership' }))).toMatchObject(
      error("Not authorized to send to stream 'leadership'"),
    );
    expect((await send(toTest({ to: 'leadership' }), owner)).status).toBe(200);
    expect(await send(toTest({ to: 'announcements' }))).toMatchObject(
      error('Only organization administrators can send to this stream.'),
    );
    expect((await send(toTest({ to: 'announcements' }), owner)).status).toBe(200);
    expect((await send(toTest(), guest)).status).toBe(200);
    expect((await send(toTest(), bot)).status).toBe(200);
    expect((await send(toTest(), hook)).status).toBe(200);
  });
});

describe('Repeated sends', () => {
  test('A repeated send with the same local id or Idempotency-Key is one message on any node', async () => {
    const echo = toTest({ queue_id: '1:2', local_id: '77.01' });
    const [a, b] = [await send(echo), await send(echo, member, second)];
    expect(b.body).toEqual(a.body);
    const keyed = { ...member, 'Idempotency-Key': 'order-66' };
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, index) => send(toTest(), keyed, index % 2 ? node : second)),
    );
    expect(new Set(ids.map(({ body }) => body.id)).size).toBe(1);
    const other = { ...(await node.basic('other@example.com')), 'Idempotency-Key': 'order-66' };
    expect((await send(toTest(), other)).body.id).not.toBe(ids[0]!.body.id);
  });
});

describe('Concurrent sends', () => {
  test('Concurrent sends on two nodes get consecutive ids, and invalid ones fail alone', async () => {
    const { body } = await send(toTest());
    const sends = Array.from({ length: 60 }, (_, index) =>
      send(
        toTest({ content: `m${index}`, ...(index % 10 === 3 ? { to: 'nowhere' } : {}) }),
        member,
        index % 2 ? node : second,
      ),
    );
    const answers = await Promise.all(sends);
    const ids = answers.filter(({ status }) => status === 200).map((answer) => answer.body.id as number);
    expect(ids).toHaveLength(54);
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 54 }, (_, index) => body.id + 1 + index));
  });

  test('A send reads a stream again after the stream has changed', async () => {
    await send(toTest());
    await node.kernel.mysql('chat_streams').where({ name: 'test' }).increment('version', 1);
    expect((await send(toTest())).status).toBe(200);
  });
});

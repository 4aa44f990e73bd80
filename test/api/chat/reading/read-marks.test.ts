import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { talker, type Talker } from '../../../support/chat/room';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;
let member: Talker;
let other: Talker;
let streamIds: Record<string, number>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  await startWorkers(cluster, 'chat-read-marks');
  member = await talker(node, 'member@example.com');
  other = await talker(node, 'other@example.com');
  const rows = (await node.kernel.mysql('chat_streams').select('id', 'name')) as { id: number; name: string }[];
  streamIds = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
});
afterAll(() => cluster.close());

const success = { status: 200, body: { result: 'success', msg: '' } };
const unread = () => member.ids([['is', 'unread']]);
const idOf = (stream: string) => String(streamIds[stream]);

/** The member's flag events since the given outbox row, each once: on a busy machine one may be published twice. */
async function flagEvents(
  after: number,
): Promise<{ operation: string; flag: string; messages: number[]; all: boolean }[]> {
  const rows = (await node.kernel.mysql('kernel_outbox').where('id', '>', after).orderBy('id')) as { body: string }[];
  const published = rows
    .map(({ body }) => body.split('\n'))
    .filter(([head]) => head!.includes('"update_message_flags"'))
    .map(([, payload]) => payload!);
  return [...new Set(published)].map((payload) => JSON.parse(payload));
}
const lastRow = async (): Promise<number> => {
  const [row] = (await node.kernel.mysql('kernel_outbox').max({ id: 'id' })) as [{ id: number }];
  return row.id;
};

describe('Mark as read', () => {
  test('Marking a topic as read ignores case, touches no other topic and publishes the ids', async () => {
    const a = await other.toStream('test', 'Lunch');
    const b = await other.toStream('test', 'lunch');
    const c = await other.toStream('test', 'dinner');
    const d = await other.toStream('general', 'lunch');
    const before = await lastRow();
    const form = { stream_id: idOf('test'), topic_name: 'LUNCH' };
    expect(await member.post('/mark_topic_as_read', form)).toMatchObject(success);
    expect(await unread()).toEqual([c, d]);
    const events = await until(
      () => flagEvents(before),
      (found) => found.length > 0,
    );
    expect(events).toEqual([
      { type: 'update_message_flags', operation: 'add', flag: 'read', messages: [a, b], all: false },
    ]);
  });

  test('Marking a stream as read reads all its topics and publishes the ids', async () => {
    const ids = [await other.toStream('test', 'x'), await other.toStream('test', 'y')];
    const rest = await unread();
    const before = await lastRow();
    expect(await member.post('/mark_stream_as_read', { stream_id: idOf('test') })).toMatchObject(success);
    expect(await unread()).toEqual(rest.filter((id) => id === rest[1]));
    const events = await until(
      () => flagEvents(before),
      (found) => found.length > 0,
    );
    const found = events.find(({ messages }) => messages.includes(ids[0]!));
    expect(found).toMatchObject({ operation: 'add', flag: 'read', all: false, messages: expect.arrayContaining(ids) });
  });

  test('Marking everything as read includes private messages and publishes one event without ids', async () => {
    await other.toPeople(['member@example.com']);
    const before = await lastRow();
    expect((await unread()).length).toBeGreaterThan(1);
    expect(await member.post('/mark_all_as_read')).toMatchObject(success);
    expect(await unread()).toEqual([]);
    // Earlier marks may be published again.
    expect((await flagEvents(before)).filter(({ all }) => all)).toEqual([
      { type: 'update_message_flags', operation: 'add', flag: 'read', messages: [], all: true },
    ]);
    const next = await other.toStream('general', 'after');
    expect(await unread()).toEqual([next]);
    await member.post('/mark_all_as_read');
  });

  test('Marking an unknown or hidden stream or topic as read is refused', async () => {
    const error = (msg: string) => ({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } });
    expect(await member.post('/mark_stream_as_read', { stream_id: '99999' })).toMatchObject(error('Invalid stream id'));
    // Another user's private stream is answered like an unknown one.
    expect(await member.post('/mark_stream_as_read', { stream_id: idOf('leadership') })).toMatchObject(
      error('Invalid stream id'),
    );
    expect(
      await member.post('/mark_topic_as_read', { stream_id: idOf('test'), topic_name: 'nobody wrote this' }),
    ).toMatchObject(error("No such topic 'nobody wrote this'"));
    expect(await member.post('/mark_topic_as_read', { stream_id: '99999', topic_name: 'x' })).toMatchObject(
      error('Invalid stream id'),
    );
    expect(await member.post('/mark_stream_as_read')).toMatchObject({
      status: 400,
      body: { msg: "Missing 'stream_id' argument", code: 'REQUEST_VARIABLE_MISSING' },
    });
    expect(await member.post('/mark_topic_as_read', { stream_id: idOf('test') })).toMatchObject({
      status: 400,
      body: { msg: "Missing 'topic_name' argument" },
    });
  });

  test('Thousands of read messages are published in events of at most a thousand ids', async () => {
    const { realm_id: realm } = await node.kernel.mysql('chat_streams').where({ name: 'test' }).first('realm_id');
    const first = await other.toStream('test', 'flood');
    const topic = await node.kernel.mysql('chat_messages').where({ id: first }).first();
    const rows = Array.from({ length: 2500 }, (_, index) => ({ ...topic, id: first + 1 + index }));
    for (let start = 0; start < rows.length; start += 500) {
      await node.kernel.mysql('chat_messages').insert(rows.slice(start, start + 500));
    }
    await node.kernel
      .mysql('kernel_counters')
      .where({ tenant: `chat:${realm}` })
      .update({ record_number: first + 2500 });
    const before = await lastRow();
    await member.post('/mark_stream_as_read', { stream_id: idOf('test') });
    expect(await unread()).toEqual([]);
    const events = await until(
      async () => (await flagEvents(before)).filter(({ messages }) => messages[0]! >= first),
      (found) => found.length > 2,
    );
    expect(events.map(({ messages }) => messages.length)).toEqual([1000, 1000, 501]);
  });

  test('Marking a topic as read publishes only the ids that had been set back to unread', async () => {
    const [a, b] = [await other.toStream('test', 'undone'), await other.toStream('test', 'done')];
    await member.post('/mark_all_as_read');
    const messages = JSON.stringify([a, b]);
    expect(await member.post('/messages/flags', { messages, op: 'remove', flag: 'read' })).toMatchObject(success);
    expect(await unread()).toEqual([a, b]);
    const before = await lastRow();
    const form = { stream_id: idOf('test'), topic_name: 'undone' };
    expect(await member.post('/mark_topic_as_read', form)).toMatchObject(success);
    expect(await unread()).toEqual([b]);
    const events = await until(
      () => flagEvents(before),
      (found) => found.length > 0,
    );
    expect(events).toMatchObject([{ operation: 'add', messages: [a] }]);
    await member.post('/mark_all_as_read');
  });

  test('A topic of a left stream can be marked as read if the user received any of it', async () => {
    const { body } = await other.post('/users/me/subscriptions', {
      subscriptions: '[{"name":"left behind"}]',
      principals: '["member@example.com","other@example.com"]',
    });
    expect(body.result).toBe('success');
    const [row] = (await node.kernel.mysql('chat_streams').where({ name: 'left behind' })) as [{ id: number }];
    const stream_id = String(row.id);
    const heard = await other.toStream('left behind', 'heard');
    const form = { subscriptions: '["left behind"]' };
    await node.call('/api/v1/users/me/subscriptions', { method: 'DELETE', form, headers: member.headers });
    await other.toStream('left behind', 'unheard');
    expect(await member.post('/mark_topic_as_read', { stream_id, topic_name: 'heard' })).toMatchObject(success);
    expect(await unread()).not.toContain(heard);
    expect(await member.post('/mark_topic_as_read', { stream_id, topic_name: 'unheard' })).toMatchObject({
      status: 400,
      body: { msg: "No such topic 'unheard'" },
    });
  });
});

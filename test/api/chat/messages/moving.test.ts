import { newUser, type TestUser } from '../../../support/chat/chat';
import { ids, move, openMoving, quietly, type Moving } from './moving-support';

let { cluster, node, mysql, owner, member, other, guest, idOf, send, open, read } = {} as Moving;
beforeAll(async () => {
  ({ cluster, node, mysql, owner, member, other, guest, idOf, send, open, read } = await openMoving());
});
afterAll(() => cluster.close());

const error = (msg: string) => ({ status: 400, body: { result: 'error', msg } });
const success = { status: 200, body: { result: 'success', msg: '' } };

describe('Moving messages to another stream', () => {
  test('The event names both streams and topics, and the history of each moved message tells it', async () => {
    const [from, to] = [await open('harbour', [member, other]), await open('quay', [member, other])];
    const moved = [await send('harbour', 'ships'), await send('harbour', 'ships')];
    const kept = await send('harbour', 'boats');
    const listen = await other.listen(['update_message']);
    const form = { stream_id: to, topic: 'vessels', propagate_mode: 'change_all', ...quietly };
    expect(await move(member, moved[1]!, form)).toMatchObject(success);
    const event = {
      type: 'update_message',
      user_id: member.id,
      edit_timestamp: expect.any(Number),
      message_id: moved[0],
      message_ids: moved,
      stream_id: from,
      stream_name: 'harbour',
      new_stream_id: to,
      orig_subject: 'ships',
      subject: 'vessels',
      subject_links: [],
      topic_links: [],
      propagate_mode: 'change_all',
      rendering_only: false,
      flags: [],
    };
    expect(await listen()).toEqual([{ ...event, sender: member.email }]);
    const found = await read(other, 'quay', 'vessels');
    expect(ids(found)).toEqual(moved);
    for (const {
      edit_history: [edit],
      stream_id: stream,
    } of found) {
      expect(stream).toBe(to);
      expect(edit).toMatchObject({
        user_id: member.id,
        prev_stream: from,
        stream: to,
        prev_topic: 'ships',
        topic: 'vessels',
      });
    }
    expect(await read(other, 'harbour', 'ships')).toEqual([]);
    expect(ids(await read(other, 'harbour', 'boats'))).toEqual([kept]);
  });

  test('One message, or it and later ones, can move while the others stay', async () => {
    const to = await idOf('quay');
    const sent = [await send('harbour', 'a'), await send('harbour', 'a'), await send('harbour', 'a')];
    expect(await move(member, sent[0]!, { stream_id: to, ...quietly })).toMatchObject(success);
    expect(ids(await read(other, 'quay', 'a'))).toEqual([sent[0]]);
    expect(await move(member, sent[2]!, { stream_id: to, propagate_mode: 'change_later', ...quietly })).toMatchObject(
      success,
    );
    expect(ids(await read(other, 'harbour', 'a'))).toEqual([sent[1]]);
  });

  test('Notices in both topics tell who moved what, with words for one, some and all messages', async () => {
    const to = await idOf('quay');
    const sent = [await send('harbour', 'n'), await send('harbour', 'n')];
    await move(member, sent[0]!, { stream_id: to, send_notification_to_old_thread: true });
    const text = async (stream: string) => (await read(other, stream, 'n')).at(-1).content as string;
    expect(await text('quay')).toMatch(
      /^<p>A message was moved here from <a .*>#harbour &gt; n<\/a> by <span .*>Max Member<\/span>\.<\/p>$/,
    );
    expect(await text('harbour')).toMatch(/^<p>A message was moved from this topic to <a .*>#quay &gt; n<\/a> by/);
    await move(member, sent[1]!, {
      stream_id: to,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
    });
    expect(await text('quay')).toMatch(/^<p>This topic was moved here from/);
    expect(await text('harbour')).toMatch(/^<p>This topic was moved to/);
  });
});

describe('Who may move', () => {
  test('Guests, strangers to the target and late members are refused, administrators are not', async () => {
    const to = await idOf('quay');
    await open('harbour', [guest]);
    const id = await send('harbour', 'rights', other);
    const own = await send('harbour', 'rights', guest);
    expect(await move(guest, own, { stream_id: to })).toMatchObject(
      error("You don't have permission to move this message"),
    );
    expect(await move(member, id, { stream_id: await idOf('leadership') })).toMatchObject(error('Invalid stream id'));
    expect(await move(member, id, { stream_id: 999_999 })).toMatchObject(error('Invalid stream id'));
    expect(await move(member, id, { stream_id: to, content: 'x' })).toMatchObject(
      error('Cannot change message content while changing stream'),
    );
    const stranger = await newUser(node, 'stranger');
    expect(await move(stranger, id, { stream_id: to, topic: 'y' })).toMatchObject(success);
    await node.kernel
      .mysql('chat_messages')
      .where({ id })
      .decrement('sent_at', 8 * 86_400);
    const back = { stream_id: await idOf('harbour') };
    expect(await move(member, id, back)).toMatchObject(
      error("The time limit for editing this message's stream has passed"),
    );
    expect(await move(owner, id, back)).toMatchObject(success);
    const { id: direct } = (await member.post('/messages', { type: 'private', to: [other.email], content: 'x' })).body;
    expect(await move(member, direct, { stream_id: to })).toMatchObject(
      error('Private messages cannot be moved to streams.'),
    );
  });
});

describe('Resolving a topic', () => {
  test('All of its messages get the mark, whatever their age, and a notice tells who did it', async () => {
    await open('desk', [member, other]);
    const sent = [await send('desk', 'Bug'), await send('desk', 'bug')];
    await node.kernel
      .mysql('chat_messages')
      .where({ id: sent[0] })
      .decrement('sent_at', 9 * 86_400);
    const form = {
      propagate_mode: 'change_all',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: true,
    };
    expect(await move(member, sent[1]!, { topic: '✔ bug', ...form })).toMatchObject(success);
    const found = await read(other, 'desk', '✔ bug');
    expect(ids(found).slice(0, 2)).toEqual(sent);
    expect(found[2].content).toMatch(/^<p><span .*>Max Member<\/span> has marked this topic as resolved\.<\/p>$/);
    await move(other, sent[1]!, { topic: 'bug', ...form });
    expect((await read(other, 'desk', 'bug')).at(-1).content).toContain('has marked this topic as unresolved.');
  });

  test('A change of topic by a client of Zulip 2.1 causes no notice', async () => {
    const id = await send('desk', 'plain');
    await move(member, id, { topic: 'other', propagate_mode: 'change_all' });
    expect(ids(await read(other, 'desk', 'other'))).toEqual([id]);
  });

  test('Those who follow or muted a topic take that along, and of two merged ones the more visible counts', async () => {
    const stream_id = await idOf('desk');
    const ids = { one: await send('desk', 'one'), two: await send('desk', 'two') };
    const set = (by: TestUser, topic: string, visibility_policy: number) =>
      by.post('/user_topics', { stream_id, topic, visibility_policy });
    await set(member, 'one', 3);
    await set(other, 'one', 1);
    const listen = await member.listen(['user_topic']);
    await move(owner, ids.one, { topic: 'three', propagate_mode: 'change_all' });
    expect(await listen()).toMatchObject([
      { topic_name: 'one', visibility_policy: 0 },
      { topic_name: 'three', visibility_policy: 3 },
    ]);
    const topics = async (by: TestUser) =>
      (await by.post('/register', { fetch_event_types: ['user_topic'] })).body.user_topics;
    expect(await topics(other)).toMatchObject([{ topic_name: 'three', visibility_policy: 1 }]);
    await move(owner, ids.one, { topic: 'two', propagate_mode: 'change_all' });
    expect(await topics(other)).toEqual([]);
    expect(await topics(member)).toMatchObject([{ topic_name: 'two', visibility_policy: 3 }]);
  });
});

/** Fills a topic with copies of its one message, and returns that one's id. */
async function fill(topic: string, copies: number): Promise<number> {
  const first = await send('harbour', topic);
  const row = await mysql('chat_messages').where({ id: first }).first();
  const rows = Array.from({ length: copies }, (_, at) => ({ ...row, id: first + 1 + at }));
  await mysql.batchInsert('chat_messages', rows, 2000);
  await mysql('kernel_counters').where({ tenant: 'chat:1' }).increment('record_number', copies);
  return first;
}

test('A topic of 2,500 messages moves with events of at most a thousand ids each', async () => {
  const to = await open('depot', [member, other]);
  const first = await fill('many', 2499);
  const sizes = async (form: object) => {
    const listen = await other.listen(['update_message']);
    expect(await move(member, first, { propagate_mode: 'change_all', ...quietly, ...form })).toMatchObject(success);
    return (await listen()).map(({ message_ids: moved }) => moved.length);
  };
  expect(await sizes({ topic: 'lots' })).toEqual([1000, 1000, 500]);
  const parts = await sizes({ stream_id: to });
  expect(Math.max(...parts)).toBeLessThanOrEqual(1000);
  expect(parts.reduce((sum, each) => sum + each, 0)).toBe(2500);
});

test('A topic of more than 20,000 messages stays where it is', async () => {
  const to = await open('depot', [member, other]);
  const first = await fill('far too many', 20_000);
  const { recipient_id, topic_id } = await mysql('chat_messages').where({ id: first }).first();
  for (const place of [{ stream_id: to }, { topic: 'elsewhere' }]) {
    expect(await move(owner, first, { propagate_mode: 'change_all', ...quietly, ...place })).toMatchObject(
      error('Too many messages to move at once (limit: 20000)'),
    );
  }
  expect(await mysql('chat_messages').where({ recipient_id, topic_id }).count('* as all')).toEqual([{ all: 20_001 }]);
});

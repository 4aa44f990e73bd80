import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let member: TestUser;
let other: TestUser;
let streamId: number;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await userOf(node, 'member');
  other = await userOf(node, 'other');
  streamId = (await member.get('/get_stream_id', { stream: 'test' })).body['stream_id'];
});
afterAll(() => cluster.close());

type Fields = Readonly<Record<string, unknown>>;

const soon = (seconds = 3600) => Math.floor(Date.now() / 1000) + seconds;
const toStream = (more: Fields = {}) => ({
  type: 'stream',
  to: streamId,
  topic: 'plans',
  content: 'See you **there**',
  scheduled_delivery_timestamp: soon(),
  ...more,
});

async function schedule(by: TestUser, message: Fields): Promise<number> {
  const { status, body } = await by.post('/scheduled_messages', message);
  expect([status, body['msg']]).toEqual([200, '']);
  return body['scheduled_message_id'] as number;
}

const listOf = async (by: TestUser) => (await by.get('/scheduled_messages')).body['scheduled_messages'] as object[];
const cancel = (by: TestUser, id: number) => by.del(`/scheduled_messages/${id}`);

/** As if it had been asked for so many times. */
const repeat = (id: number, times: number) =>
  node.kernel.mysql.raw(
    `INSERT INTO chat_scheduled_messages (${COLUMNS}) SELECT ${COLUMNS} FROM chat_scheduled_messages ` +
      `JOIN (${Array.from({ length: times }, (_, at) => `SELECT ${at}`).join(' UNION ')}) copies WHERE id = ?`,
    [id],
  );
const COLUMNS =
  'realm_id, user_id, message_id, note, type, recipients, topic, content, rendered, client, is_read_by_sender, due_at';

describe('Scheduled messages', () => {
  test('A message is scheduled, listed with the soonest first, and cancelled', async () => {
    const at = soon();
    const one = await schedule(member, toStream({ scheduled_delivery_timestamp: at + 60, type: 'channel' }));
    const direct = {
      type: 'direct',
      to: [other.id, member.id],
      content: ' Hello \n',
      scheduled_delivery_timestamp: at,
    };
    const two = await schedule(member, direct);
    expect(await listOf(member)).toEqual([
      {
        scheduled_message_id: two,
        type: 'private',
        to: [other.id],
        content: ' Hello',
        rendered_content: '<p>Hello</p>',
        scheduled_delivery_timestamp: at,
        failed: false,
      },
      {
        scheduled_message_id: one,
        type: 'stream',
        to: streamId,
        topic: 'plans',
        content: 'See you **there**',
        rendered_content: '<p>See you <strong>there</strong></p>',
        scheduled_delivery_timestamp: at + 60,
        failed: false,
      },
    ]);
    expect([(await cancel(member, one)).status, (await cancel(member, two)).status]).toEqual([200, 200]);
    expect(await listOf(member)).toEqual([]);
  });

  test('Text, place and time are changed, each alone or together', async () => {
    const id = await schedule(member, toStream());
    const change = async (fields: Fields) => {
      const { status, body } = await member.patch(`/scheduled_messages/${id}`, fields);
      expect([status, body['msg']]).toEqual([200, '']);
      return (await listOf(member))[0];
    };
    expect(await change({ content: '*Later*' })).toMatchObject({
      content: '*Later*',
      rendered_content: '<p><em>Later</em></p>',
      topic: 'plans',
    });
    const at = soon(7200);
    expect(await change({ scheduled_delivery_timestamp: at })).toMatchObject({ scheduled_delivery_timestamp: at });
    expect(await change({ topic: 'dinner' })).toMatchObject({ topic: 'dinner', to: streamId, content: '*Later*' });
    const moved = await change({ type: 'direct', to: [other.id] });
    expect(moved).toMatchObject({ type: 'private', to: [other.id], content: '*Later*' });
    expect(moved).not.toHaveProperty('topic');
    expect(await change({ type: 'stream', to: streamId, topic: 'back' })).toMatchObject({
      to: streamId,
      topic: 'back',
    });
    await cancel(member, id);
  });

  test("Each change is an event for its author's clients alone", async () => {
    const [heard, elsewhere] = [await member.listen(['scheduled_messages']), await other.listen()];
    const id = await schedule(member, toStream());
    await member.patch(`/scheduled_messages/${id}`, { topic: 'dinner' });
    await cancel(member, id);
    expect(await heard()).toMatchObject([
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ scheduled_message_id: id, topic: 'plans' }] },
      { type: 'scheduled_messages', op: 'update', scheduled_message: { scheduled_message_id: id, topic: 'dinner' } },
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ]);
    expect(await elsewhere()).toEqual([]);
  });

  test('The initial state has them if a client names them, and not otherwise', async () => {
    const id = await schedule(member, toStream());
    const stateOf = async (form: Fields) => (await member.post('/register', form)).body;
    const state = await stateOf({ fetch_event_types: ['scheduled_messages', 'reminders'] });
    expect(state).toMatchObject({
      scheduled_messages: [{ scheduled_message_id: id }],
      reminders: [],
      max_reminder_note_length: 1000,
    });
    expect(Object.keys(await stateOf({}))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/scheduled_messages|reminder/)]),
    );
    await cancel(member, id);
  });

  test('A scheduled message of somebody else does not exist', async () => {
    const id = await schedule(other, toStream());
    const path = `/scheduled_messages/${id}`;
    for (const answer of [await member.patch(path, { topic: 'mine' }), await member.del(path)]) {
      expect([answer.status, answer.body['msg']]).toEqual([404, 'Scheduled message does not exist']);
    }
    expect(await listOf(member)).toEqual([]);
    await cancel(other, id);
  });

  test.each<[string, () => Fields, string]>([
    [
      'for the past',
      () => ({ scheduled_delivery_timestamp: soon(-1) }),
      'Scheduled delivery time must be in the future.',
    ],
    [
      'for the year 2200',
      () => ({ scheduled_delivery_timestamp: 7_258_118_400 }),
      'Scheduled delivery time is too far away.',
    ],
    ['to a stream by name', () => ({ to: 'test' }), 'Invalid data type for channel ID'],
    ['to two streams', () => ({ to: [1, 2] }), 'Invalid data type for channel ID'],
    ['to a stream that is not there', () => ({ to: 987_654 }), "Stream with ID '987654' does not exist"],
    ['to people by address', () => ({ type: 'direct', to: ['other@example.com'] }), 'Invalid data type for recipients'],
    ['to nobody', () => ({ type: 'direct', to: [] }), 'Message must have recipients'],
    ['to somebody who is not there', () => ({ type: 'private', to: [987_654] }), 'Invalid user ID 987654'],
    ['without words', () => ({ content: ' \n' }), 'Message must not be empty'],
    ['without a topic', () => ({ topic: ' ' }), "Topic can't be empty"],
    ['of another type', () => ({ type: 'letter' }), 'Invalid message type'],
  ])('A message %s is refused', async (_, more, message) => {
    const { status, body } = await member.post('/scheduled_messages', toStream(more()));
    expect([status, body['msg']]).toEqual([400, message]);
    expect(await listOf(member)).toEqual([]);
  });

  test('A change that is none, or lacks its recipient or topic, is refused', async () => {
    const id = await schedule(member, toStream());
    const refused = async (fields: Fields) => (await member.patch(`/scheduled_messages/${id}`, fields)).body['msg'];
    expect(await refused({})).toBe('Nothing to change');
    expect(await refused({ type: 'direct' })).toBe('Recipient required when updating type of scheduled message.');
    expect(await refused({ type: 'stream', to: streamId })).toBe(
      'Topic required when updating scheduled message type to channel.',
    );
    const past = await member.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: soon(-5) });
    expect(past.body).toMatchObject({ code: 'DELIVERY_TIME_NOT_IN_FUTURE' });
    await cancel(member, id);
  });

  test('However often a message is rescheduled, only its last time is waited for', async () => {
    const id = await schedule(member, toStream());
    const mail = () => node.kernel.mysql('kernel_mail').where({ mailbox: 'chat-scheduled', address: String(id) });
    for (let more = 1; more <= 5; more += 1) {
      await member.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: soon(3600 + more) });
    }
    const isDue = node.kernel.mysql.raw('due_at <= NOW(3) AS is_due');
    expect((await mail().orderBy('id').select(isDue)).map(({ is_due }) => is_due)).toEqual([1, 1, 1, 1, 1, 0]);
    await cancel(member, id);
    expect((await mail().select(isDue)).map(({ is_due }) => is_due)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('A person may schedule 100 messages and 1 MiB of them, and requests at the same time do not exceed that', async () => {
    const planner = await newUser(node, 'planner');
    const note = () => ({ type: 'direct', to: [planner.id], content: 'x', scheduled_delivery_timestamp: soon() });
    await repeat(await schedule(planner, note()), 97);
    const answers = await Promise.all([0, 1, 2, 3].map(() => planner.post('/scheduled_messages', note())));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body['msg']).toBe('You have scheduled too many messages (limit: 100, 1 MiB in all)');
    expect(await listOf(planner)).toHaveLength(100);

    const writer = await newUser(node, 'writer');
    const long = { ...note(), to: [writer.id], content: 'x'.repeat(10_000) };
    const first = await schedule(writer, long);
    await repeat(first, 90);
    await node.kernel
      .mysql('chat_scheduled_messages')
      .where({ user_id: writer.id })
      .update({ content: 'ä'.repeat(5760) });
    expect((await writer.patch(`/scheduled_messages/${first}`, { content: long.content })).status).toBe(200);
    expect((await writer.post('/scheduled_messages', long)).status).toBe(400);
  });
});

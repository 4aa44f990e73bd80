import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other] = (await Promise.all(['owner', 'member', 'other'].map((name) => userOf(node, name)))) as [
    TestUser,
    TestUser,
    TestUser,
  ];
});
afterAll(() => cluster.close());

const PATH = '/users/me/subscriptions';
const add = (by: TestUser, names: string[], more: object = {}) =>
  by.post(PATH, { subscriptions: names.map((name) => ({ name })), ...more });
const lastMessages = async (by: TestUser, narrow: string[][], count = 1) =>
  (
    await by.get('/messages', {
      anchor: 10_000_000_000_000_000,
      num_before: count,
      num_after: 0,
      apply_markdown: false,
      narrow: narrow.map(([operator, operand]) => ({ operator, operand })),
    })
  ).body.messages;

describe('Notices of the notification bot', () => {
  test('A new stream gets a notice about its creator, which the creator has already read', async () => {
    await add(member, ['Oslo'], { principals: [member.email, other.email] });
    const [message] = await lastMessages(member, [['stream', 'Oslo']]);
    expect(message).toMatchObject({
      content: `Stream created by @_**Max Member|${member.id}**.`,
      subject: 'stream events',
      sender_email: 'notification-bot@zulip.com',
      sender_full_name: 'Notification Bot',
      client: 'Internal',
      flags: ['read'],
    });
    expect((await lastMessages(other, [['stream', 'Oslo']]))[0].flags).toEqual([]);
    expect(await lastMessages(other, [['is', 'private']])).toEqual([]);
  });

  test('Private and announcement-only streams get a notice about their creation', async () => {
    await add(owner, ['quiet'], { invite_only: true, is_announcement_only: true });
    expect(await lastMessages(owner, [['stream', 'quiet']])).toMatchObject([{ subject: 'stream events' }]);
  });

  test('The notification bot announces new public streams if the creator asks for it', async () => {
    await add(member, ['Bergen'], { announce: true });
    const general = [
      ['stream', 'general'],
      ['topic', 'new streams'],
    ];
    expect(await lastMessages(other, general)).toMatchObject([
      { content: `@_**Max Member|${member.id}** created a new stream #**Bergen**.` },
    ]);
    await add(member, ['Trondheim', 'Tromso', 'test'], { announce: true });
    await add(member, ['hidden'], { announce: true, invite_only: true });
    expect(await lastMessages(other, general)).toMatchObject([
      { content: `@_**Max Member|${member.id}** created the following streams: #**Trondheim**, #**Tromso**.` },
    ]);
    await owner.patch('/realm', { notifications_stream_id: -1 });
    await add(member, ['Bodo'], { announce: true });
    expect(await lastMessages(other, general, 5)).toHaveLength(2);
  });

  test('The notification bot tells users who were subscribed by others to existing streams', async () => {
    await add(member, ['Bergen', 'new one'], { principals: [other.email, 'helper-bot@example.com'] });
    expect(await lastMessages(other, [['is', 'private']])).toMatchObject([
      { content: '@**Max Member** subscribed you to the stream #**Bergen**.', type: 'private' },
    ]);
    await add(member, ['Tromso', 'Bodo', 'Bergen'], { principals: [other.email] });
    expect((await lastMessages(other, [['is', 'private']]))[0].content).toBe(
      '@**Max Member** subscribed you to the following streams:\n\n* #**Bodo**\n* #**Tromso**',
    );
  });

  test('A renamed stream gets a notice about its new name', async () => {
    const { body } = await member.get('/get_stream_id', { stream: 'Oslo' });
    await owner.patch(`/streams/${body.stream_id}`, { new_name: '"Christiania"' });
    expect(await lastMessages(member, [['stream', 'Christiania']])).toMatchObject([
      {
        subject: 'stream events',
        content: `@_**Olive Owner|${owner.id}** renamed stream **Oslo** to **Christiania**.`,
      },
    ]);
  });

  test('The notification bot is not listed among the users', async () => {
    const { body } = await member.get('/users');
    expect(body.members.map(({ email }: { email: string }) => email)).not.toContain('notification-bot@zulip.com');
    expect(await node.kernel.mysql('chat_users').where({ email: 'notification-bot@zulip.com' })).toHaveLength(1);
  });
});

describe('Unsubscribing', () => {
  test("Unsubscribing marks the stream's unread messages as read and publishes their ids", async () => {
    const { body } = await member.post('/messages', { type: 'stream', to: 'Bergen', topic: 'x', content: 'hello' });
    const listen = await other.listen(['update_message_flags']);
    await other.del(PATH, { subscriptions: ['Bergen'] });
    const told: object[] = [];
    await until(
      async () => told.push(...(await listen())),
      () => told.length > 0,
    );
    expect(told).toEqual([
      {
        type: 'update_message_flags',
        operation: 'add',
        flag: 'read',
        messages: expect.arrayContaining([body.id]),
        all: false,
      },
    ]);
    expect((await lastMessages(other, [['stream', 'Bergen']]))[0]).toMatchObject({ id: body.id, flags: ['read'] });
  });
});

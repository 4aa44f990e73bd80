import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { startWorkers } from '../../../support/kernel/workers';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;
let streamId: number;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other] = [await userOf(node, 'owner'), await userOf(node, 'member'), await userOf(node, 'other')];
  streamId = (await member.get('/get_stream_id', { stream: 'test' })).body['stream_id'];
  await startWorkers(cluster, 'chat-scheduled');
});
afterAll(() => cluster.close());

interface Sent {
  readonly id: number;
  readonly content: string;
  readonly sender_id: number;
  readonly sender_full_name: string;
  readonly flags: readonly string[];
  readonly subject: string;
}

type Fields = Readonly<Record<string, unknown>>;

const soon = (seconds = 3600) => Math.floor(Date.now() / 1000) + seconds;

async function schedule(by: TestUser, message: Fields): Promise<number> {
  const { status, body } = await by.post('/scheduled_messages', message);
  expect([status, body['msg']]).toEqual([200, '']);
  return body['scheduled_message_id'] as number;
}

const listOf = async (by: TestUser) =>
  (await by.get('/scheduled_messages')).body['scheduled_messages'] as {
    scheduled_message_id: number;
    failed: boolean;
  }[];

const narrowed = async (by: TestUser, ...narrow: readonly object[]) => {
  const query = { anchor: 10_000_000_000_000_000, num_before: 20, num_after: 0, narrow, apply_markdown: false };
  return (await by.get('/messages', query)).body['messages'] as Sent[];
};
const inTopic = (by: TestUser, topic: string) =>
  narrowed(by, { operator: 'stream', operand: 'test' }, { operator: 'topic', operand: topic });
const fromBot = async (by: TestUser) => {
  const { messages } = (
    await by.get('/messages', { anchor: 10_000_000_000_000_000, num_before: 50, num_after: 0, apply_markdown: false })
  ).body as { messages: Sent[] };
  return messages.filter(({ sender_full_name: name }) => name === 'Notification Bot');
};
/** As if its time had come. A worker sees it at its next sweep. */
const comes = (...ids: readonly number[]) =>
  node.kernel
    .mysql('kernel_mail')
    .where({ mailbox: 'chat-scheduled' })
    .whereIn('address', ids.map(String))
    .update({ due_at: node.kernel.mysql.raw('NOW(3) - INTERVAL 1 HOUR') });
const settled = (by: TestUser) =>
  until(
    () => listOf(by),
    (list) => list.every(({ failed }) => failed),
  );
const toTopic = (topic: string, more: Fields = {}) => ({
  type: 'stream',
  to: streamId,
  topic,
  content: `about ${topic}`,
  scheduled_delivery_timestamp: soon(),
  ...more,
});

// What is due in the past here is also what was due while no server ran.
describe('Sending what was scheduled', () => {
  test('At its time a message is sent once, as its author, and leaves the list with an event after it', async () => {
    const heard = await member.listen(['message', 'scheduled_messages']);
    const id = await schedule(
      member,
      toTopic('launch', { read_by_sender: true, scheduled_delivery_timestamp: soon(10) }),
    );
    await until(
      () => inTopic(other, 'launch'),
      ({ length }) => length === 1,
    );
    expect(await listOf(member)).toEqual([]);
    expect((await heard()).map(({ type, op }) => [type, op])).toEqual([
      ['scheduled_messages', 'add'],
      ['message', undefined],
      ['scheduled_messages', 'remove'],
    ]);
    expect(await inTopic(member, 'launch')).toMatchObject([{ sender_id: member.id, flags: ['read'] }]);
    expect(await node.kernel.mysql('chat_scheduled_messages').where({ id })).toEqual([]);
  });

  test('A private message is sent to its people, and is unread for its author if they want that', async () => {
    const content = 'lunch at noon';
    const direct = { type: 'direct', to: [other.id], content, scheduled_delivery_timestamp: soon() };
    await comes(await schedule(member, { ...direct, read_by_sender: false }));
    const got = () => narrowed(other, { operator: 'pm-with', operand: member.email });
    await until(got, (all) => all.some((each) => each.content === content));
    const [own] = (await narrowed(member, { operator: 'pm-with', operand: other.email })).slice(-1);
    expect(own).toMatchObject({ content, flags: [] });
  });

  test('What was changed is sent as changed and what was cancelled is not sent', async () => {
    const cancelled = await schedule(member, toTopic('cancelled'));
    const changed = await schedule(member, toTopic('changed'));
    await member.del(`/scheduled_messages/${cancelled}`);
    await member.patch(`/scheduled_messages/${changed}`, { content: 'new words' });
    await comes(cancelled, changed);
    await until(
      () => inTopic(other, 'changed'),
      ({ length }) => length === 1,
    );
    expect(await inTopic(other, 'changed')).toMatchObject([{ content: 'new words' }]);
    expect(await inTopic(other, 'cancelled')).toEqual([]);
    const mail = () => node.kernel.mysql('kernel_mail').where({ mailbox: 'chat-scheduled' });
    await until(mail, ({ length }) => length === 0);
  });

  test('A message whose stream was archived is not sent: its author is told once, and sends it by another time', async () => {
    const { body } = await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'doomed' }] });
    expect(body['result']).toBe('success');
    await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'doomed' }] });
    const doomed = (await member.get('/get_stream_id', { stream: 'doomed' })).body['stream_id'] as number;
    const heard = await member.listen(['scheduled_messages']);
    const at = soon();
    const id = await schedule(member, toTopic('late', { to: doomed, scheduled_delivery_timestamp: at }));
    await owner.del(`/streams/${doomed}`);
    await comes(id);
    await until(
      () => listOf(member),
      ([first]) => first?.failed === true,
    );
    const events = (await heard()).filter(({ op }) => op === 'update');
    expect(events).toMatchObject([{ scheduled_message: { scheduled_message_id: id, failed: true } }]);
    const time = new Date(at * 1000).toISOString();
    const notices = await until(
      () => fromBot(member),
      (all) => all.some(({ content }) => content.includes(time)),
    );
    const told = notices.filter(({ content }) => content.includes(time));
    expect(told).toHaveLength(1);
    expect(told[0]!.content).toContain(`> Not authorized to send to stream 'doomed'`);

    const path = `/scheduled_messages/${id}`;
    expect((await member.patch(path, { content: 'x' })).body['code']).toBe('DELIVERY_TIME_NOT_IN_FUTURE');
    const anew = { type: 'stream', to: streamId, topic: 'rescued', scheduled_delivery_timestamp: soon() };
    expect((await member.patch(path, anew)).status).toBe(200);
    expect(await listOf(member)).toMatchObject([{ failed: false }]);
    await comes(id);
    await until(
      () => inTopic(other, 'rescued'),
      ({ length }) => length === 1,
    );
    expect(await listOf(member)).toEqual([]);
  });

  test('Rights are those of the moment of sending', async () => {
    const { body } = await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'announced' }] });
    expect(body['result']).toBe('success');
    const announced = (await owner.get('/get_stream_id', { stream: 'announced' })).body['stream_id'] as number;
    await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'announced' }] });
    const id = await schedule(member, toTopic('rights', { to: announced }));
    expect((await owner.patch(`/streams/${announced}`, { is_announcement_only: true })).status).toBe(200);
    await comes(id);
    await until(
      () => listOf(member),
      (list) => list.some((each) => each.scheduled_message_id === id && each.failed),
    );
    expect(
      await narrowed(owner, { operator: 'stream', operand: 'announced' }, { operator: 'topic', operand: 'rights' }),
    ).toEqual([]);
    await member.del(`/scheduled_messages/${id}`);
  });

  test('A message of a deactivated account, or to one, is not sent', async () => {
    const [leaver, friend] = [await newUser(node, 'leaver'), await newUser(node, 'friend')];
    const direct = (to: TestUser) => ({
      type: 'direct',
      to: [to.id],
      content: 'bye',
      scheduled_delivery_timestamp: soon(),
    });
    const toLeaver = await schedule(friend, direct(leaver));
    const ofLeaver = await schedule(leaver, direct(friend));
    expect((await owner.del(`/users/${leaver.id}`)).status).toBe(200);
    await comes(toLeaver, ofLeaver);
    await until(
      () => listOf(friend),
      ([first]) => first?.failed === true,
    );
    expect(await listOf(friend)).toMatchObject([{ scheduled_message_id: toLeaver, failed: true }]);
    const rows = () => node.kernel.mysql('chat_scheduled_messages').where({ user_id: leaver.id }).pluck('error');
    expect(await until(rows, ([error]) => error !== null)).toEqual(['Account is deactivated']);
    await until(
      () => fromBot(friend),
      ({ length }) => length === 1,
    );
    expect(
      (await narrowed(friend, { operator: 'pm-with', operand: leaver.email })).map(({ content }) => content),
    ).toEqual([]);
  });

  test('Many that are due at the same moment are each sent once', async () => {
    const texts = Array.from({ length: 30 }, (_, place) => `number ${place}`);
    const ids = await Promise.all(
      texts.map((content, place) => schedule(place % 2 ? member : other, toTopic('rush', { content }))),
    );
    await comes(...ids);
    const all = () =>
      node.kernel.mysql('chat_messages').where({ topic: 'rush' }).pluck('content') as unknown as Promise<string[]>;
    await until(all, ({ length }) => length >= texts.length);
    await settled(member);
    await settled(other);
    expect((await all()).toSorted()).toEqual(texts.toSorted());
  });
});

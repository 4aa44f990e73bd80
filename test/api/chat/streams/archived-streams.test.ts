// Streams that are archived, as clients see them that know archived streams.
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { startWorkers } from '../../../support/kernel/workers';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;
let guest: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  await startWorkers(cluster, 'chat-search');
  [owner, member, other, guest] = (await Promise.all(
    ['owner', 'member', 'other', 'guest'].map((name) => userOf(node, name)),
  )) as [TestUser, TestUser, TestUser, TestUser];
});
afterAll(() => cluster.close());

const KNOWS = { client_capabilities: { notification_settings_null: true, archived_channels: true } };
const error = (msg: string) => ({ status: 400, body: { result: 'error', msg } });
const SUBSCRIPTIONS = '/users/me/subscriptions';

async function open(name: string, more: object = {}): Promise<number> {
  await member.post(SUBSCRIPTIONS, { subscriptions: [{ name }], principals: [member.email, owner.email], ...more });
  return (await node.kernel.mysql('chat_streams').where({ name }).first('id')).id as number;
}
const send = (by: TestUser, to: string, content = 'hello') =>
  by.post('/messages', { type: 'stream', to, topic: 'plans', content });
async function sent(by: TestUser, to: string, content?: string): Promise<number> {
  const answer = await send(by, to, content);
  expect(answer.status).toBe(200);
  return answer.body.id as number;
}
const archive = async (id: number) => expect((await owner.del(`/streams/${id}`)).body.result).toBe('success');
const unarchive = (id: number, by = owner) => by.patch(`/streams/${id}`, { is_archived: false });
const read = async (by: TestUser, narrow: readonly unknown[]) => {
  const { body } = await by.get('/messages', { anchor: '10000000000000000', num_before: 50, num_after: 0, narrow });
  return body.messages.map(({ content }: { content: string }) => content) as string[];
};
const listed = async (by: TestUser, id: number, query: object = {}) =>
  (await by.get('/streams', { ...query })).body.streams.find((each: { stream_id: number }) => each.stream_id === id);

test('Who could read an archived stream still reads and searches it, and sees who is in it', async () => {
  const id = await open('logbook');
  await sent(member, 'logbook', 'harbour reached');
  const search = [
    ['stream', 'logbook'],
    ['search', 'harbour'],
  ];
  await until(async () => (await read(member, search)).length === 1);
  await archive(id);
  for (const by of [member, other]) {
    expect(await read(by, [['stream', 'logbook']])).toContain('<p>harbour reached</p>');
    expect(await read(by, search)).toHaveLength(1);
    expect((await by.get(`/users/me/${id}/topics`)).body.topics).toContainEqual(
      expect.objectContaining({ name: 'plans' }),
    );
    expect((await by.get(`/streams/${id}/members`)).body.subscribers.sort()).toEqual([member.email, owner.email]);
  }
  expect(await guest.get(`/users/me/${id}/topics`)).toMatchObject(error('Invalid stream id'));
});

test('Nobody can write to an archived stream, not even administrators', async () => {
  const id = await open('closed');
  await archive(id);
  const refused = error("Not authorized to send to stream 'closed'");
  for (const by of [member, owner]) expect(await send(by, 'closed')).toMatchObject(refused);
});

test('A sender whose node remembers the stream as open is refused too', async () => {
  const id = await open('remembered');
  const elsewhere = await cluster.node();
  const there = await userOf(elsewhere, 'member');
  await sent(there, 'remembered');
  await archive(id);
  expect(await send(there, 'remembered')).toMatchObject(error("Not authorized to send to stream 'remembered'"));
});

test('Messages of an archived stream get no reactions, votes, edits or moves, and cannot be deleted', async () => {
  const id = await open('frozen');
  await open('thawed');
  const message = await sent(owner, 'frozen');
  const free = await sent(owner, 'thawed');
  await archive(id);
  const refused = error('Invalid message(s)');
  const thawed = (await node.kernel.mysql('chat_streams').where({ name: 'thawed' }).first('id')).id as number;
  const path = `/messages/${message}`;
  expect(await owner.post(`${path}/reactions`, { emoji_name: 'tada' })).toMatchObject(refused);
  const vote = { message_id: message, msg_type: 'widget', content: '{}' };
  expect(await owner.post('/submessage', vote)).toMatchObject(refused);
  expect(await owner.patch(path, { content: 'changed' })).toMatchObject(refused);
  expect(await owner.patch(path, { topic: 'renamed' })).toMatchObject(refused);
  expect(await owner.patch(path, { stream_id: thawed })).toMatchObject(refused);
  expect(await owner.patch(`/messages/${free}`, { stream_id: id })).toMatchObject(error('Invalid stream id'));
  expect(await owner.del(path)).toMatchObject(refused);
  const topic = { topic_name: 'plans' };
  expect(await owner.post(`/streams/${id}/delete_topic`, topic)).toMatchObject(error('Invalid stream id'));
  // What belongs to the reader alone can still change.
  expect((await member.post('/messages/flags', { messages: [message], op: 'add', flag: 'starred' })).status).toBe(200);
});

test('Nobody can join an archived stream, and its name stays taken', async () => {
  const id = await open('taken');
  await archive(id);
  const wanted = { subscriptions: [{ name: 'Taken' }] };
  for (const by of [other, owner])
    expect(await by.post(SUBSCRIPTIONS, wanted)).toMatchObject(error('Unable to access stream (taken).'));
  const { body } = await other.post(SUBSCRIPTIONS, { ...wanted, authorization_errors_fatal: false });
  expect(body).toMatchObject({ subscribed: {}, unauthorized: ['taken'] });
  const { body: left } = await member.del(SUBSCRIPTIONS, { subscriptions: ['taken'] });
  expect(left).toMatchObject({ removed: ['taken'] });
  expect(await owner.post('/default_streams', { stream_name: 'taken' })).toMatchObject(
    error("Invalid stream name 'taken'"),
  );
});

test('Clients that know archived streams keep them, and hear that they are archived and unarchived', async () => {
  const id = await open('kept', { principals: [member.email, guest.email] });
  const [news, old] = [await member.listen(['stream'], KNOWS), await guest.listen(['stream'])];
  const strange = await other.listen(['stream'], KNOWS);
  await archive(id);
  const changed = { type: 'stream', op: 'update', stream_id: id, name: 'kept', property: 'is_archived' };
  expect(await news()).toEqual([{ ...changed, value: true }]);
  expect(await strange()).toEqual([{ ...changed, value: true }]);
  expect(await old()).toMatchObject([{ op: 'delete', streams: [{ stream_id: id }] }]);
  const { body } = await member.post('/register', { fetch_event_types: ['stream', 'subscription'], ...KNOWS });
  const own = expect.objectContaining({ stream_id: id, is_archived: true, color: expect.any(String) });
  expect(body.subscriptions).toContainEqual(own);
  expect(body.streams).toContainEqual(expect.objectContaining({ stream_id: id, is_archived: true }));
  const { body: stranger } = await other.post('/register', { fetch_event_types: ['subscription'], ...KNOWS });
  expect(stranger.never_subscribed).toContainEqual(expect.objectContaining({ stream_id: id, is_archived: true }));

  expect(await unarchive(id, member)).toMatchObject(error('Must be an organization administrator'));
  expect((await unarchive(id)).status).toBe(200);
  expect(await unarchive(id)).toMatchObject(error('Channel is not currently deactivated'));
  expect(await news()).toEqual([{ ...changed, value: false }]);
  expect(await old()).toMatchObject([{ op: 'create', streams: [{ stream_id: id, is_archived: false }] }]);
  await sent(guest, 'kept');
});

test('Changes of an archived stream are told to clients that know it alone', async () => {
  const id = await open('renamed');
  await archive(id);
  const [news, old] = [await other.listen(['stream'], KNOWS), await other.listen(['stream'])];
  await owner.patch(`/streams/${id}`, { new_name: '"renamed again"', description: '"of old"' });
  expect((await news()).map(({ property }) => property)).toEqual(['description', 'email_address', 'name']);
  expect(await old()).toEqual([]);
  expect(await read(other, [['stream', 'renamed again']])).not.toEqual([]);
});

test('GET /streams lists archived streams if asked, and true for is_archived changes nothing', async () => {
  const id = await open('shelf');
  await owner.patch(`/streams/${id}`, { is_archived: true });
  expect(await listed(member, id)).toMatchObject({ is_archived: false });
  await archive(id);
  expect(await listed(member, id)).toBeUndefined();
  expect(await listed(member, id, { exclude_archived: false })).toMatchObject({ is_archived: true });
});

test('What was unread in a stream is read once it is archived', async () => {
  const id = await open('unread');
  const message = await sent(owner, 'unread');
  const listen = await member.listen(['update_message_flags']);
  await archive(id);
  expect(await listen()).toMatchObject([
    { flag: 'read', operation: 'add', messages: expect.arrayContaining([message]) },
  ]);
  const { body } = await member.post('/register', { fetch_event_types: ['message', 'update_message_flags'], ...KNOWS });
  expect(body.unread_msgs.streams.filter((each: { stream_id: number }) => each.stream_id === id)).toEqual([]);
});

test('A private stream without subscribers stays archived', async () => {
  const id = await open('hideout', { invite_only: true, principals: [member.email] });
  await archive(id);
  expect((await other.post('/register', KNOWS)).text).not.toContain('hideout');
  await member.del(SUBSCRIPTIONS, { subscriptions: ['hideout'] });
  expect(await unarchive(id)).toMatchObject(error('Channel is private and have no subscribers'));
});

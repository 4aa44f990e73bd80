// The first run of today's mobile app at two nodes of which one is killed while it waits for events there: it asks the
// other, under the same queue, hears each message once, and goes on where it was.
import { TodayApp } from '../../support/chat/apps/today-app';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';

let cluster: Cluster;
let steady: MainNode;
let doomed: MainNode;

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'on', RATE_LIMIT: 'off' });
  await cluster.seed();
  [steady, doomed] = [await startMainNode(cluster.environment), await startMainNode(cluster.environment)];
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});

let reachable = (): MainNode[] => [doomed];
const app = new TodayApp(() => reachable());
const other = new TodayApp(() => [steady]);
let general: number;
let ownId: number;
/** The message of another that the app deals with. */
let theirs: number;

const PAGE = { num_before: 100, num_after: 100, allow_empty_topic_name: true };
const TOPIC = () => [
  { operator: 'channel', operand: general },
  { operator: 'topic', operand: 'kill' },
];
const send = async (by: TodayApp, content: string): Promise<number> => {
  const form = { type: 'channel', to: general, topic: 'kill', content, queue_id: by.queueId, local_id: content };
  return (await by.ask('POST /messages', form))['id'] as number;
};
const read = async () => {
  const { messages } = await app.ask('GET /messages', { anchor: 'newest', narrow: TOPIC(), ...PAGE });
  return messages.map(({ content }: { content: string }) => content) as string[];
};

test('It signs in, registers, sees what is unread, opens the topic and sends', async () => {
  await other.signIn('other@example.com');
  const { streams } = await other.register();
  general = streams.find(({ name }: { name: string }) => name === 'general').stream_id;
  theirs = await send(other, 'unread');
  await app.signIn('member@example.com');
  const state = await app.register();
  ownId = state['user_id'] as number;
  expect(state['unread_msgs'].streams).toContainEqual(expect.objectContaining({ topic: 'kill' }));
  const ping = { status: 'active', new_user_input: true, slim_presence: true, ping_only: false };
  await app.ask('POST /users/me/presence', ping);
  await app.ask('POST /users/me/android_gcm_reg_id', { token: 'abc' });
  expect(await read()).toEqual(['<p>unread</p>']);
  await send(app, 'before');
  await app.until(({ local_message_id: local }) => local === 'before');
});

test('When the node is killed that holds its poll, it goes on at the other and hears everything once', async () => {
  const cut = app.until(({ message }) => message?.content === '<p>during</p>').catch(() => 'cut');
  doomed.kill('SIGKILL');
  await doomed.ended;
  expect(await cut).toBe('cut');
  await send(other, 'during');
  reachable = () => [steady];
  await send(app, 'after');
  const heard = await app.until(({ local_message_id: local }) => local === 'after');
  const told = heard.filter(({ type }) => type === 'message').map(({ message }) => message.content as string);
  expect(told).toEqual(['<p>during</p>', '<p>after</p>']);
  expect(await read()).toEqual(['unread', 'before', 'during', 'after'].map((text) => `<p>${text}</p>`));
});

test('It reacts, edits, marks as read, mutes, follows, uploads, opens the file, and signs out', async () => {
  const thumb = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
  await app.ask('POST /messages/{message_id}/reactions', thumb, { message_id: theirs });
  const own = await send(app, 'tpyo');
  await app.ask('PATCH /messages/{message_id}', { content: 'typo' }, { message_id: own });
  const unread = { anchor: 'oldest', include_anchor: false, num_before: 0, num_after: 1000 };
  const narrow = [...TOPIC(), { operator: 'is', operand: 'unread' }];
  await app.ask('POST /messages/flags/narrow', { ...unread, narrow, op: 'add', flag: 'read' });
  for (const policy of [1, 3])
    await app.ask('POST /user_topics', { stream_id: general, topic: 'kill', visibility_policy: policy });
  const heard = await app.until(({ type, visibility_policy: policy }) => type === 'user_topic' && policy === 3);
  const kinds = heard.map(({ type, op }) => (op === undefined ? String(type) : `${type} ${op}`));
  for (const kind of ['reaction add', 'update_message', 'update_message_flags add']) expect(kinds).toContain(kind);
  const { uri } = await app.upload('notes.txt', 'some notes');
  const { url } = await app.ask(`GET ${uri}`);
  expect((await steady.call(url as string)).text).toBe('some notes');
  await app.ask('DELETE /users/me/android_gcm_reg_id', { token: 'abc' });
  const again = await app.register();
  expect(again['unread_msgs'].streams.filter(({ topic }: { topic: string }) => topic === 'kill')).toEqual([]);
  expect(again['user_topics']).toMatchObject([{ topic_name: 'kill', visibility_policy: 3 }]);
  expect(again['user_id']).toBe(ownId);
  expect([...app.misfits, ...other.misfits]).toEqual([]);
});

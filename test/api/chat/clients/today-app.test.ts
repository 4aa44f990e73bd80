// What today's mobile app (v30.0.274) does from its first screen to signing out, on two nodes in turn, and whether it can
// decode every answer and event: a single misfit makes it drop the whole answer.
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { TodayApp } from '../../../support/chat/apps/today-app';
import { userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let nodes: TestNode[];
let app: TodayApp;
let other: TestUser;
let state: Awaited<ReturnType<TodayApp['register']>>;
let general: number;

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'on', RATE_LIMIT: 'off' });
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
  app = new TodayApp(() => nodes);
  other = await userOf(nodes[0]!, 'other');
});
afterAll(() => cluster.close());

const fits = () => expect(app.misfits).toEqual([]);
const PAGE = { num_before: 100, num_after: 100, allow_empty_topic_name: true };

test('It signs in and registers', async () => {
  await app.signIn('member@example.com');
  state = await app.register();
  fits();
  expect(state).toMatchObject({ zulip_feature_level: 371, zulip_version: '10.0-partyline', max_topic_length: 60 });
  const self = state['realm_users'].find(({ email }: { email: string }) => email === 'member@example.com');
  expect(self).toMatchObject({ user_id: state['user_id'], role: 400, is_admin: false });
  general = state['streams'].find(({ name }: { name: string }) => name === 'general').stream_id;
});

test('It gets the emoji from where the registration says', async () => {
  const { pathname } = new URL(state['server_emoji_data_url'] as string);
  const { body, headers } = await nodes[1]!.call(pathname);
  expect(app.decoder.answer('GET <server_emoji_data_url>', body)).toEqual([]);
  expect(body.code_to_names['1f44d'][0]).toBe('+1');
  expect(headers.get('cache-control')).toContain('immutable');
});

let id: number;

test('It opens a topic, further up and down without the message that it has', async () => {
  for (const each of [1, 2, 3]) await other.post('/messages', message(`number ${each}`));
  const topic = [
    { operator: 'channel', operand: general },
    { operator: 'topic', operand: 'plans' },
  ];
  const found = await app.ask('GET /messages', { anchor: 'newest', narrow: topic, ...PAGE });
  const ids = found['messages'].map((each: { id: number }) => each.id);
  id = ids.at(-1);
  expect([ids.length, found['found_newest']]).toEqual([3, true]);
  for (const anchor of ['first_unread', 'oldest']) {
    const again = await app.ask('GET /messages', { anchor, narrow: topic, ...PAGE });
    expect(again['messages']).toHaveLength(3);
  }
  const older = { ...PAGE, num_after: 0, include_anchor: false, anchor: id, narrow: topic };
  expect((await app.ask('GET /messages', older))['messages'].map((each: { id: number }) => each.id)).toEqual(
    ids.slice(0, 2),
  );
  const newer = { ...PAGE, num_before: 0, include_anchor: false, anchor: ids[0], narrow: topic };
  expect(await app.ask('GET /messages', newer)).toMatchObject({ found_anchor: false, found_newest: true });
  const where = [...topic, { operator: 'with', operand: id }];
  expect((await app.ask('GET /messages', { anchor: id, narrow: where, ...PAGE }))['messages']).toHaveLength(3);
  await app.ask('GET /users/me/{stream_id}/topics', { allow_empty_topic_name: true }, { stream_id: general });
  fits();
});

const message = (content: string, topic = 'plans') => ({ type: 'stream', to: 'general', topic, content });

test('It sends to a stream and to people, and finds its own messages by their local ids', async () => {
  const sent = { queue_id: app.queueId, read_by_sender: true };
  const toStream = {
    ...sent,
    type: 'channel',
    to: general,
    topic: 'plans',
    content: '```js\nlet a;\n```',
    local_id: '1',
  };
  const { id: first } = await app.ask('POST /messages', toStream);
  const toBoth = { ...sent, type: 'direct', to: [other.id, state['user_id']], content: 'psst', local_id: '2' };
  const { id: second } = await app.ask('POST /messages', toBoth);
  const toSelf = { ...toBoth, to: [state['user_id']], local_id: '3' };
  await app.ask('POST /messages', toSelf);
  await app.ask('POST /messages', { ...toStream, topic: '', local_id: '4' });
  const events = await app.until(({ local_message_id: local }) => local === '4');
  expect(events.filter(({ type }) => type === 'message').slice(-4)).toMatchObject([
    { local_message_id: '1', message: { id: first, content: expect.stringContaining('<code>') }, flags: ['read'] },
    { local_message_id: '2', message: { id: second, type: 'private' } },
    { local_message_id: '3' },
    { local_message_id: '4', message: { subject: '(no topic)' } },
  ]);
  const narrow = [{ operator: 'dm', operand: [state['user_id'], other.id] }];
  const { messages } = await app.ask('GET /messages', { anchor: 'newest', narrow, ...PAGE });
  expect(messages.map((each: { id: number }) => each.id)).toEqual([second]);
  const source = { apply_markdown: false, allow_empty_topic_name: true };
  expect(await app.ask('GET /messages/{message_id}', source, { message_id: first })).toMatchObject({
    message: { id: first, content: '```js\nlet a;\n```', content_type: 'text/x-markdown' },
  });
  fits();
});

test('It reacts, edits, resolves, stars and deletes', async () => {
  const at = { message_id: id };
  const thumb = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
  await app.ask('POST /messages/{message_id}/reactions', thumb, at);
  await other.post(`/messages/${id}/reactions`, thumb);
  const { messages } = await app.ask('GET /messages', { anchor: id, narrow: [], ...PAGE });
  expect(messages.find((each: { id: number }) => each.id === id).reactions).toMatchObject([
    { user_id: state['user_id'] },
    { user_id: other.id },
  ]);
  await app.ask('DELETE /messages/{message_id}/reactions', thumb, at);
  const own = { type: 'channel', to: general, topic: 'mine', content: 'tpyo', queue_id: app.queueId, local_id: '5' };
  const { id: mine } = await app.ask('POST /messages', own);
  await app.ask('PATCH /messages/{message_id}', { content: 'typo' }, { message_id: mine });
  const resolved = { topic: '✔ mine', propagate_mode: 'change_all', send_notification_to_new_thread: true };
  await app.ask(
    'PATCH /messages/{message_id}',
    { ...resolved, send_notification_to_old_thread: false },
    { message_id: mine },
  );
  await app.ask('POST /messages/flags', { messages: [id], op: 'add', flag: 'starred' });
  await app.ask('POST /messages/flags', { messages: [id], op: 'remove', flag: 'starred' });
  await other.patch(`/messages/${id}`, { content: 'edited' });
  await other.post('/typing', { op: 'start', to: [state['user_id']] });
  const heard = await app.until(({ type }) => type === 'typing');
  expect(heard.map(({ type, op }) => (op === undefined ? type : `${type} ${op}`))).toEqual(
    expect.arrayContaining(['reaction add', 'reaction remove', 'update_message', 'update_message_flags remove']),
  );
  fits();
});

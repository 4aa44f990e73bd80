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

const TOPIC = () => [
  { operator: 'channel', operand: general },
  { operator: 'topic', operand: 'plans' },
];

test('It marks a view as read in pages, and as unread from a message on', async () => {
  await other.post('/messages', message('unread'));
  const unread = [...TOPIC(), { operator: 'is', operand: 'unread' }];
  const read = { narrow: unread, num_before: 0, num_after: 1000, include_anchor: false, op: 'add', flag: 'read' };
  const marked = await app.ask('POST /messages/flags/narrow', { anchor: 'oldest', ...read });
  expect(marked).toMatchObject({ found_newest: true, updated_count: marked['processed_count'] });
  expect(marked['processed_count']).toBeGreaterThan(0);
  const again = { ...read, anchor: marked['last_processed_id'] };
  expect(await app.ask('POST /messages/flags/narrow', again)).toMatchObject({
    processed_count: 0,
    first_processed_id: null,
    found_newest: true,
  });
  const from = { anchor: id, include_anchor: true, num_before: 0, num_after: 1000, narrow: TOPIC() };
  const unmarked = await app.ask('POST /messages/flags/narrow', { ...from, op: 'remove', flag: 'read' });
  expect(unmarked).toMatchObject({ first_processed_id: id });
  const events = await app.until(({ op, flag }) => op === 'remove' && flag === 'read');
  expect(events.at(-1)!['message_details'][id]).toEqual({ type: 'stream', stream_id: general, topic: 'plans' });
  expect(await app.ask('GET /messages/{message_id}/read_receipts', {}, { message_id: id })).toMatchObject({
    user_ids: expect.any(Array),
  });
  fits();
});

test('A narrow of which nothing was received is passed over, and flags are checked before it is read', async () => {
  const narrow = [{ operator: 'channel', operand: general }];
  const asked = { anchor: 'oldest', num_before: 0, num_after: 10, narrow, op: 'add' };
  for (const flag of ['blue', 'mentioned'])
    expect((await app.raw('POST', '/messages/flags/narrow', { ...asked, flag })).status).toBe(400);
  expect((await app.raw('POST', '/messages/flags/narrow', { ...asked, flag: 'read', op: 'toggle' })).status).toBe(400);
  const empty = [
    { operator: 'dm', operand: [state['user_id']] },
    { operator: 'is', operand: 'unread' },
  ];
  const nothing = await app.ask('POST /messages/flags/narrow', { ...asked, flag: 'starred', narrow: empty });
  expect(nothing).toMatchObject({ processed_count: 0, updated_count: 0, last_processed_id: null });
});

test('It types in a topic and to people, and others hear it', async () => {
  const listen = await other.listen(['typing'], {
    client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
  });
  const old = await other.listen(['typing']);
  await app.ask('POST /typing', { op: 'start', type: 'channel', stream_id: general, topic: 'plans' });
  await app.ask('POST /typing', { op: 'stop', type: 'direct', to: [other.id, state['user_id']] });
  expect(await listen()).toMatchObject([
    { op: 'start', message_type: 'stream', stream_id: general, topic: 'plans', sender: { user_id: state['user_id'] } },
    { op: 'stop' },
  ]);
  expect(await old()).toMatchObject([{ op: 'stop' }]);
  await other.post('/typing', { op: 'start', type: 'stream', stream_id: general, topic: 'plans' });
  const [...heard] = await app.until(({ type, message_type: kind }) => type === 'typing' && kind === 'stream');
  expect(heard.at(-1)).toMatchObject({ stream_id: general, topic: 'plans' });
  fits();
});

test('It mutes and follows topics, twice if it must, and pins streams', async () => {
  const where = { stream_id: general, topic: 'plans' };
  for (const policy of [1, 1, 3, 0]) await app.ask('POST /user_topics', { ...where, visibility_policy: policy });
  const pinned = { subscription_data: [{ stream_id: general, property: 'pin_to_top', value: true }] };
  await app.ask('POST /users/me/subscriptions/properties', pinned);
  await app.ask('POST /users/me/subscriptions', { subscriptions: [{ name: 'apps' }] });
  await app.ask('DELETE /users/me/subscriptions', { subscriptions: ['apps'] });
  await app.until(({ type, op }) => type === 'subscription' && op === 'remove');
  fits();
});

test('It reports presence, sets a status and settings, and hands over its token for pushes', async () => {
  const ping = { status: 'active', new_user_input: true, slim_presence: true };
  const { presences } = await app.ask('POST /users/me/presence', { ...ping, ping_only: false });
  expect(presences[state['user_id']]).toEqual({
    active_timestamp: expect.any(Number),
    idle_timestamp: expect.any(Number),
  });
  await app.ask('POST /users/me/presence', { ...ping, ping_only: true });
  const car = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' };
  await app.ask('POST /users/me/status', { status_text: 'out', ...car });
  await app.ask('POST /users/me/status', { emoji_name: '', emoji_code: '', reaction_type: '' });
  await app.ask('PATCH /settings', { twenty_four_hour_time: true, emojiset: 'google' });
  const set = await app.until(({ property }) => property === 'twenty_four_hour_time');
  expect(set.filter(({ type }) => type === 'user_settings')).toMatchObject([
    { property: 'emojiset', value: 'google' },
    { property: 'twenty_four_hour_time', value: true },
  ]);
  for (const each of [1, 2]) await app.ask('POST /users/me/android_gcm_reg_id', { token: 'abc', each });
  await app.ask('POST /users/me/apns_device_token', { token: 'cafe', appid: 'org.zulip.Zulip' });
  await app.ask('DELETE /users/me/android_gcm_reg_id', { token: 'abc' });
  fits();
});

test('It uploads a file, and opens it without a key by an address that holds for a minute', async () => {
  const { uri } = await app.upload('notes.txt', 'some notes');
  const { url } = await app.ask(`GET ${uri}`);
  const { status, text } = await nodes[0]!.call(url as string);
  expect([status, text]).toEqual([200, 'some notes']);
  const forged = (url as string).replace(/\.\d+\./, '.99999999999.');
  expect((await nodes[0]!.call(forged)).status).toBe(404);
  fits();
});

test('It registers again, with unread messages of all kinds, conversations, topics and statuses', async () => {
  const owner = await userOf(nodes[1]!, 'owner');
  await owner.post('/messages', message('left unread'));
  for (const to of [[state['user_id']], [state['user_id'], other.id]])
    await owner.post('/messages', { type: 'private', to, content: 'left unread' });
  await app.ask('POST /user_topics', { stream_id: general, topic: 'plans', visibility_policy: 3 });
  await other.post('/users/me/status', { status_text: 'in a call', emoji_name: 'car' });
  const again = await app.register();
  expect(again['unread_msgs']).toMatchObject({ old_unreads_missing: false, pms: [{ other_user_id: owner.id }] });
  expect(again['unread_msgs'].huddles).toHaveLength(1);
  expect(again['unread_msgs'].streams).toContainEqual(expect.objectContaining({ topic: 'plans' }));
  expect(again['user_topics']).toMatchObject([{ topic_name: 'plans', visibility_policy: 3 }]);
  expect(again['user_status'][other.id]).toMatchObject({ status_text: 'in a call', emoji_name: 'car' });
  const edited = [TOPIC()[0], { operator: 'topic', operand: '✔ mine' }];
  const { messages } = await app.ask('GET /messages', { anchor: 'newest', narrow: edited, ...PAGE });
  expect(messages[0]).toMatchObject({ subject: '✔ mine', edit_history: expect.any(Array) });
  fits();
});

test('It could decode all that it asked for, and all that it heard', () => {
  const others = ['GET /users/me', 'GET /user_uploads/{realm_id}/{filename}', 'PATCH /messages/{message_id}'];
  expect(app.decoder.missing('answers').filter((each) => !others.includes(each))).toEqual([]);
  expect(app.decoder.fields.size).toBeGreaterThan(285);
  fits();
});

// The fields that the mobile app reads and that its first run does not show: each is there at least once, and decodes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decoder } from '../../../support/chat/apps/decoding';
import { TodayApp } from '../../../support/chat/apps/today-app';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { startWorkers } from '../../../support/kernel/workers';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let app: TodayApp;
let owner: TestUser;
let member: TestUser;
let other: TestUser;
let general: number;

const PICTURE = readFileSync(join(__dirname, '../../../../src/chat/model/demo/member.png'));
const LOGIN = {
  name: 'saml:corp',
  display_name: 'Corp',
  display_icon: 'https://corp.example/icon.png',
  login_url: '/accounts/login/corp',
  signup_url: '/accounts/register/corp',
};

beforeAll(async () => {
  cluster = await openCluster({
    CHAT_FEATURE_LEVEL: 'on',
    RATE_LIMIT: 'off',
    EXTERNAL_LOGINS: JSON.stringify([LOGIN]),
  });
  await cluster.seed();
  node = await cluster.node();
  await startWorkers(cluster, 'chat-search');
  app = new TodayApp(() => [node]);
  [owner, member, other] = [await userOf(node, 'owner'), await userOf(node, 'member'), await userOf(node, 'other')];
  general = (await member.get('/get_stream_id', { stream: 'general' })).body.stream_id;
  await app.signIn('member@example.com');
  await app.register();
});
afterAll(() => cluster.close());

type Written = Readonly<Record<string, unknown>>;

async function done(
  answer: Promise<{ body: Record<string, unknown>; text: string }>,
): Promise<Record<string, unknown>> {
  const { body, text } = await answer;
  expect([body['result'], text]).toEqual(['success', text]);
  return body;
}
const send = async (by: TestUser, form: Written): Promise<number> =>
  (await done(by.post('/messages', { type: 'stream', to: 'general', topic: 'fields', content: 'hello', ...form })))[
    'id'
  ] as number;
const upload = async (by: TestUser, path: string): Promise<void> => {
  const form = new FormData();
  form.append('file', new Blob([PICTURE]), 'picture.png');
  const headers = await node.basic(by.email);
  await done(node.call(`/api/v1${path}`, { method: 'POST', headers, raw: form }));
};

/** Everything up to a message that is sent now. */
async function heard(): Promise<void> {
  const id = await send(other, { content: 'the last' });
  await app.until(({ message }) => message?.id === id);
  expect(app.misfits).toEqual([]);
}
const has = (names: string) => expect(names.split(' ').filter((name) => !app.decoder.fields.has(name))).toEqual([]);

test('of messages that were moved and edited, and of polls', async () => {
  await done(
    owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'elsewhere' }], principals: [member.id] }),
  );
  const { stream_id } = (await owner.get('/get_stream_id', { stream: 'elsewhere' })).body;
  const id = await send(other, { topic: 'moved' });
  await done(owner.patch(`/messages/${id}`, { stream_id, propagate_mode: 'change_all' }));
  const pair = await send(other, { type: 'private', to: [member.id], content: 'findable' });
  await done(other.patch(`/messages/${pair}`, { content: 'findable again' }));
  const mention = await send(other, { content: '@**Max Member** findable', topic: 'searched' });
  for (const op of ['add', 'remove'])
    await done(member.post('/messages/flags', { messages: [mention], op, flag: 'read' }));
  const poll = await send(other, { content: '/poll Tea?\nyes\nno' });
  for (const part of [
    { type: 'vote', key: 'canned,0', vote: 1 },
    { type: 'new_option', option: 'perhaps', idx: 1 },
    { type: 'question', question: 'Coffee?' },
  ])
    await done(other.post('/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(part) }));
  const page = { num_before: 50, num_after: 0, allow_empty_topic_name: true, anchor: 'newest' };
  const found = await app.ask('GET /messages', { ...page, narrow: [] });
  expect(found['messages'].map(({ id: each }: { id: number }) => each)).toEqual(expect.arrayContaining([id, poll]));
  // A worker fills the index of words.
  const narrow = [{ operator: 'search', operand: 'findable' }];
  await until(
    () => app.ask('GET /messages', { ...page, narrow }),
    ({ messages }) => messages.length === 2,
  );
  await heard();
  has(
    'EditHistoryEntry.prev_stream UpdateMessageEvent.new_stream_id DmMessage.edit_history DmMessage.last_edit_timestamp ' +
      'StreamMessage.match_content StreamMessage.match_subject DmMessage.match_content DmMessage.match_subject ' +
      'UpdateMessageFlagsMessageDetail.mentioned PollWidgetData.extra_data PollWidgetExtraData.question ' +
      'PollWidgetExtraData.options PollVoteEventSubmessage.key PollVoteEventSubmessage.vote ' +
      'PollNewOptionEventSubmessage.option PollNewOptionEventSubmessage.idx PollQuestionEventSubmessage.question',
  );
});

test('of people: pictures, profiles, addresses, time zones and owners of bots', async () => {
  await done(owner.post('/realm/profile_fields', { name: 'Tea', field_type: 1 }));
  const { custom_fields: fields } = (await owner.get('/realm/profile_fields')).body;
  const { id } = fields.find(({ name }: { name: string }) => name === 'Tea');
  await done(other.patch('/users/me/profile_data', { data: [{ id, value: 'Assam' }] }));
  await upload(other, '/users/me/avatar');
  await done(other.patch('/settings', { timezone: 'Europe/Berlin' }));
  const { user_id: bot } = await done(owner.post('/bots', { full_name: 'Kettle', short_name: 'kettle' }));
  await done(owner.patch(`/bots/${String(bot)}`, { bot_owner_id: other.id }));
  const { id: fresh } = await newUser(node, 'fresh');
  await done(owner.del(`/users/${fresh}`));
  await app.ask('GET /users/me');
  await heard();
  await app.register();
  has(
    'RealmUserUpdatePerson.is_active RealmUserUpdatePerson.avatar_url RealmUserUpdatePerson.avatar_version RealmUserUpdatePerson.timezone ' +
      'RealmUserUpdatePerson.bot_owner_id RealmUserUpdatePerson.custom_profile_field ' +
      'RealmUserUpdateCustomProfileField.id RealmUserUpdateCustomProfileField.value ' +
      'RealmUserUpdateCustomProfileField.rendered_value ProfileFieldUserData.value ProfileFieldUserData.rendered_value ' +
      'User.delivery_email User.is_system_bot GetOwnUserResult.user_id',
  );
});

test('of streams, folders, groups and emoji', async () => {
  const { channel_folder_id: folder } = await done(owner.post('/channel_folders/create', { name: 'first' }));
  await done(owner.patch(`/streams/${general}`, { folder_id: folder }));
  await app.register();
  await done(owner.patch(`/channel_folders/${String(folder)}`, { description: '*about* it' }));
  await done(owner.patch(`/streams/${general}`, { folder_id: null }));
  await done(owner.patch(`/channel_folders/${String(folder)}`, { is_archived: true }));
  await done(owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'gone' }], principals: [member.id] }));
  const { stream_id: gone } = (await owner.get('/get_stream_id', { stream: 'gone' })).body;
  await done(owner.patch(`/streams/${gone}`, { is_private: true }));
  await done(owner.del(`/streams/${gone}`));
  await done(owner.post('/user_groups/create', { name: 'tea', description: '', members: [member.id] }));
  const { user_groups: groups } = (await owner.get('/user_groups')).body;
  const { id } = groups.find(({ name }: { name: string }) => name === 'tea');
  await done(owner.patch(`/user_groups/${id}`, { description: 'who drinks it' }));
  await upload(owner, '/realm/emoji/kettle');
  await done(owner.del('/realm/emoji/kettle'));
  await heard();
  const state = await app.register();
  for (const shape of ['ZulipStream', 'Subscription'])
    has(GROUPS_OF_STREAMS.map((name) => `${shape}.${name}`).join(' '));
  expect(Object.values(state['realm_emoji'])).toEqual([expect.objectContaining({ author_id: owner.id })]);
  has(
    'ZulipStream.folder_id Subscription.folder_id ChannelFolderChange.description ChannelFolderChange.is_archived ' +
      'ChannelFolderChange.rendered_description ChannelUpdateEvent.history_public_to_subscribers ' +
      'ChannelDeleteEvent.stream_ids UserGroupUpdateData.description RealmEmojiAddEvent.emoji ' +
      'ChannelUpdateEvent.is_web_public UserGroup.deactivated InitialSnapshot.realm_topics_policy ' +
      'InitialSnapshot.realm_can_delete_any_message_group InitialSnapshot.realm_can_delete_own_message_group ' +
      'RealmEmojiUpdateOneEvent.emoji_id RealmEmojiUpdateOneEvent.data RealmEmojiUpdateData.deactivated',
  );
});

const GROUPS_OF_STREAMS = [
  ...['send_message', 'add_subscribers', 'delete_any_message', 'delete_own_message', 'subscribe'].map(
    (may) => `can_${may}_group`,
  ),
  'topics_policy',
];

test('of signing in elsewhere, and of files', async () => {
  await app.ask('GET /server_settings');
  const { uri } = await app.upload('notes.txt', 'some notes');
  const opened = await app.ask(`GET ${uri}`);
  expect(app.decoder.answer('GET /user_uploads/{realm_id}/{filename}', opened)).toEqual([]);
  has(
    `${Object.keys(LOGIN)
      .map((key) => `ExternalAuthenticationMethod.${key}`)
      .join(' ')} GetFileTemporaryUrlResult.url`,
  );
});

test('The rest are in none, by choice', () => {
  const never = new Decoder().missingFields().filter((name) => isNever(name));
  expect(never.filter((name) => app.decoder.fields.has(name))).toEqual([]);
  expect(never).toHaveLength(10);
});

/** What this server does not have; docs/CLIENTS.md says why. */
const NEVER =
  /^GroupSetting|moderation_request|display_in_profile_summary|still_url|^UserGroupUpdateData\.deactivated|^(?:ZulipStream|Subscription)\.(?:message_retention_days|stream_weekly_traffic)/;
const isNever = (name: string): boolean => NEVER.test(name);

// Events of a real queue, as a client of 2.1 gets them and as one of today does, for everything that makes one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decoder } from '../../../support/chat/apps/decoding';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;
let general: number;

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'on', RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other] = [await userOf(node, 'owner'), await userOf(node, 'member'), await userOf(node, 'other')];
  general = (await member.get('/get_stream_id', { stream: 'general' })).body.stream_id;
});
afterAll(() => cluster.close());

const TODAY = {
  apply_markdown: true,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    user_settings_object: true,
    stream_typing_notifications: true,
  },
};
const OF_2_1 = { apply_markdown: true, client_capabilities: { notification_settings_null: true } };

const PICTURE = join(__dirname, '../../../../src/chat/model/demo/member.png');

type Event = Record<string, unknown>;

/** What only today's clients know. */
const NEWER = {
  delete_message: ['message_ids'],
  presence: ['user_id'],
  reaction: ['user_id'],
  subscription: ['stream_ids', 'user_ids'],
  typing: ['message_type', 'stream_id'],
  update_message_flags: ['op', 'message_details'],
  user_settings: ['type'],
} as const;

const newerIn = (events: readonly Event[]) =>
  events.flatMap((event) => {
    const type = event['type'] as keyof typeof NEWER;
    return (NEWER[type] ?? []).filter((key) => key in event).map((key) => `${type}.${key}`);
  });

const decoder = new Decoder();

/** Everything that the member hears while this is done, by both generations. */
async function heard(act: () => Promise<void>): Promise<{ old: Event[]; today: Event[] }> {
  const ends = [await member.listen(undefined, OF_2_1), await member.listen(undefined, TODAY)] as const;
  await act();
  const [old, today] = [await ends[0](), await ends[1]()];
  expect(newerIn(old)).toEqual([]);
  expect(today.flatMap((event) => decoder.event({ id: 1, ...event }))).toEqual([]);
  return { old, today };
}

const send = async (by: TestUser, form: Event): Promise<number> => {
  const { body } = await by.post('/messages', { topic: 'both', content: 'hello', ...form });
  expect(body).toMatchObject({ result: 'success' });
  return body.id as number;
};
const done = async (answer: Promise<{ body: Event; text: string }>) => {
  const { body, text } = await answer;
  expect([body['result'], text]).toEqual(['success', text]);
};

describe('A client of 2.1 gets none of the newer spellings, and one of today can decode every event', () => {
  test('about messages', async () => {
    const { old, today } = await heard(async () => {
      const id = await send(other, { type: 'stream', to: 'general', content: '@**Max Member**\n```\ncode\n```' });
      const pair = await send(other, { type: 'private', to: [member.id] });
      const group = await send(other, { type: 'private', to: [member.id, owner.id] });
      const thumb = { emoji_name: 'thumbs_up' };
      await done(other.post(`/messages/${id}/reactions`, thumb));
      await done(other.del(`/messages/${id}/reactions`, thumb));
      await done(other.patch(`/messages/${id}`, { content: '```\nother code\n```' }));
      await done(other.patch(`/messages/${id}`, { topic: 'elsewhere', propagate_mode: 'change_all' }));
      for (const op of ['add', 'remove'])
        await done(member.post('/messages/flags', { messages: [id, pair, group], op, flag: 'read' }));
      await done(member.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
      await done(owner.del(`/messages/${id}`));
      await done(owner.del(`/messages/${group}`));
      const poll = await send(other, { type: 'stream', to: 'general', content: '/poll Tea?\nyes' });
      const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
      await done(other.post('/submessage', { message_id: poll, msg_type: 'widget', content: vote }));
    });
    expect(today.map(({ type }) => type)).toEqual(old.map(({ type }) => type));
    expect(today).toContainEqual(
      expect.objectContaining({
        op: 'remove',
        flag: 'read',
        message_details: expect.objectContaining({}),
      }),
    );
    expect(JSON.stringify(old)).not.toContain('<code>');
    expect(JSON.stringify(today)).toContain('<code>other code');
  });

  test('about people', async () => {
    const { today } = await heard(async () => {
      const { id } = await newUser(node, 'newcomer');
      await done(owner.patch(`/users/${id}`, { is_guest: true }));
      await done(owner.patch(`/users/${id}`, { full_name: 'New Name' }));
      await done(owner.del(`/users/${id}`));
      await done(owner.post(`/users/${id}/reactivate`));
      await done(other.post('/users/me/presence', { status: 'active' }));
      await done(other.post('/users/me/status', { status_text: 'out', emoji_name: 'car' }));
      await done(other.post('/typing', { op: 'start', to: [member.id] }));
      await done(member.patch('/settings/display', { twenty_four_hour_time: true }));
      await done(member.patch('/settings/notifications', { enable_sounds: false }));
      await done(member.post('/users/me/alert_words', { alert_words: ['tea'] }));
      await done(member.post(`/users/me/muted_users/${other.id}`));
      await done(member.del(`/users/me/muted_users/${other.id}`));
      const group = { name: 'brewers', description: 'tea', members: [member.id] };
      await done(owner.post('/user_groups/create', group));
    });
    expect(today).toContainEqual(expect.objectContaining({ type: 'user_settings', property: 'twenty_four_hour_time' }));
    expect(today).toContainEqual(
      expect.objectContaining({ op: 'update', person: expect.objectContaining({ role: 600, is_guest: true }) }),
    );
  });

  test('about streams', async () => {
    const { old, today } = await heard(async () => {
      await done(owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'fresh' }] }));
      const { stream_id: id } = (await owner.get('/get_stream_id', { stream: 'fresh' })).body;
      await done(member.post('/users/me/subscriptions', { subscriptions: [{ name: 'fresh' }] }));
      for (const [property, value] of [
        ['in_home_view', false],
        ['color', '#aabbcc'],
        ['pin_to_top', true],
      ] as const)
        await done(
          member.post('/users/me/subscriptions/properties', {
            subscription_data: [{ stream_id: id, property, value }],
          }),
        );
      await done(owner.patch(`/streams/${id}`, { description: 'new' }));
      await done(owner.patch(`/streams/${id}`, { new_name: 'refreshed' }));
      await done(owner.patch(`/streams/${id}`, { is_announcement_only: true }));
      await done(member.post('/user_topics', { stream_id: general, topic: 'both', visibility_policy: 1 }));
      await done(owner.del('/users/me/subscriptions', { subscriptions: ['refreshed'] }));
      await done(member.del('/users/me/subscriptions', { subscriptions: ['refreshed'] }));
      await done(owner.del(`/streams/${id}`));
    });
    expect(today).toContainEqual(expect.objectContaining({ property: 'is_muted', value: true }));
    expect(old).toContainEqual(expect.objectContaining({ property: 'in_home_view', value: false }));
    expect(today).toContainEqual(expect.objectContaining({ property: 'stream_post_policy', value: 2 }));
  });

  test('about the organisation', async () => {
    const able = { ...TODAY.client_capabilities, individual_emoji_changes: true };
    const each = await member.listen(['realm_emoji'], { client_capabilities: able });
    await heard(async () => {
      const made = { name: 'tea', description: '', members: [member.id] };
      await done(owner.post('/user_groups/create', made));
      await done(owner.post('/user_groups/create', { ...made, name: 'drinks' }));
      const { user_groups: groups } = (await owner.get('/user_groups')).body;
      const [tea, drinks] = ['tea', 'drinks'].map((name) => groups.find((each: Event) => each['name'] === name).id);
      await done(owner.patch(`/user_groups/${tea}`, { name: 'chai' }));
      await done(owner.post(`/user_groups/${tea}/members`, { add: [other.id], delete: [member.id] }));
      for (const change of [{ add: [tea] }, { delete: [tea] }])
        await done(owner.post(`/user_groups/${drinks}/subgroups`, change));
      await done(owner.del(`/user_groups/${tea}`));
      const [first, second] = [await folder('first'), await folder('second')];
      await done(owner.patch('/channel_folders', { order: [second, first] }));
      await done(owner.patch(`/channel_folders/${first}`, { name: 'only' }));
      await done(owner.post('/realm/profile_fields', { name: 'Tea', field_type: 1 }));
      const form = new FormData();
      form.append('file', new Blob([readFileSync(PICTURE)]), 'anvil.png');
      const path = '/api/v1/realm/emoji/anvil';
      await done(node.call(path, { method: 'POST', headers: await node.basic(owner.email), raw: form }));
      await done(owner.del('/realm/emoji/anvil'));
    });
    const changes = await each();
    expect(changes).toMatchObject([
      { op: 'add', emoji: { name: 'anvil', author_id: owner.id } },
      { op: 'update_one', data: { deactivated: true } },
    ]);
    expect(changes.flatMap((event) => decoder.event({ id: 1, ...event }))).toEqual([]);
  });

  const folder = async (name: string): Promise<number> =>
    (await owner.post('/channel_folders/create', { name })).body.channel_folder_id;

  test('and these are all kinds of events that it reads', () => {
    expect(decoder.event({ type: 'heartbeat', id: 1 })).toEqual([]);
    // As of the declared level, who is deactivated is changed, not removed.
    expect(decoder.missing('events')).toEqual(['realm_user remove']);
    expect(decoder.fields.size).toBeGreaterThan(250);
  });
});

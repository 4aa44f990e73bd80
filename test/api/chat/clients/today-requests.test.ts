// What today's clients ask for besides the mobile app's usual round: linkifiers, settings, presence, odd capabilities.
import { Decoder } from '../../../support/chat/apps/decoding';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'on', RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other] = [await userOf(node, 'owner'), await userOf(node, 'member'), await userOf(node, 'other')];
});
afterAll(() => cluster.close());

const TODAY = { client_capabilities: { user_settings_object: true, stream_typing_notifications: true } };
const listeners = async (by: TestUser) => [await by.listen(), await by.listen(undefined, TODAY)] as const;

describe('Linkifiers', () => {
  const pattern = 'BUG-(?P<id>[0-9a-z/]+)';

  test('are written as templates, and both generations get them in their own form', async () => {
    const [old, today] = await listeners(member);
    const written = { pattern, url_template: 'https://bugs.example.com/{id}{?id}' };
    const { body } = await owner.post('/realm/filters', written);
    const format = 'https://bugs.example.com/%(id)s?id=%(id)s';
    expect((await member.get('/realm/filters')).body.filters).toEqual([[pattern, format, body.id]]);
    const linkifiers = [{ id: body.id, ...written }];
    expect((await member.get('/realm/linkifiers')).body.linkifiers).toEqual(linkifiers);
    expect(await old()).toEqual([{ type: 'realm_filters', realm_filters: [[pattern, format, body.id]] }]);
    expect(await today()).toEqual([{ type: 'realm_linkifiers', realm_linkifiers: linkifiers }]);
    expect((await member.post('/register', TODAY)).body).toMatchObject({ realm_linkifiers: linkifiers });
    expect((await member.post('/register')).body).not.toHaveProperty('realm_linkifiers');
  });

  test('of topics are in messages, with what they stand for', async () => {
    const [old, today] = await listeners(member);
    const form = {
      type: 'stream',
      to: 'general',
      topic: 'on BUG-a/b',
      content: 'see https://e.com/?"subject_links":[',
    };
    const { body } = await other.post('/messages', form);
    const url = 'https://bugs.example.com/a%2Fb?id=a%2Fb';
    const [links, older] = [[{ text: 'BUG-a/b', url }], [url]];
    expect(await today()).toMatchObject([{ message: { topic_links: links, subject_links: older } }]);
    const [event] = await old();
    expect(event).toMatchObject({ message: { subject_links: older } });
    expect(event!['message']).not.toHaveProperty('topic_links');
    const asked = { anchor: body.id, num_before: 0, num_after: 0 };
    const read = { ...asked, allow_empty_topic_name: true };
    expect((await member.get('/messages', read)).body.messages[0]).toMatchObject({ topic_links: links });
    expect((await member.get('/messages', asked)).body.messages[0]).not.toHaveProperty('topic_links');
    await other.patch(`/messages/${body.id}`, { topic: 'on BUG-c', propagate_mode: 'change_all' });
    const renamed = [{ text: 'BUG-c', url: 'https://bugs.example.com/c?id=c' }];
    expect(await today()).toMatchObject([{ type: 'update_message', topic_links: renamed }]);
  });

  test.each([
    ['a template with a brace that stands alone', { url_template: 'https://e.com/{id' }],
    ['a template with an unknown group', { url_template: 'https://e.com/{id}{other}' }],
    ['a template that is no web address', { url_template: 'javascript:{id}' }],
    ['a template that is too long', { url_template: `https://e.com/${'a'.repeat(1000)}{id}` }],
    ['a template that is too long as a format', { url_template: `https://e.com/${'%'.repeat(900)}{id}` }],
    ['no address at all', {}],
  ])('are refused for %s', async (_, address) => {
    expect((await owner.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', ...address })).status).toBe(400);
  });

  test('that were written as formats are templates to clients of today', async () => {
    const url_format_string = 'https://e.com/%(id)s?100%%';
    await owner.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_format_string });
    const { linkifiers } = (await member.get('/realm/linkifiers')).body;
    expect(linkifiers.at(-1)).toMatchObject({ url_template: 'https://e.com/{id}?100%' });
  });
});

describe('One request changes settings of all kinds', () => {
  const OWN = [
    'display_emoji_reaction_users',
    'enter_sends',
    'presence_enabled',
    'send_private_typing_notifications',
    'send_read_receipts',
    'send_stream_typing_notifications',
    'web_inbox_show_channel_folders',
  ];

  test.each(OWN)('%s is stored, and published to the other clients of today', async (name) => {
    const [old, today] = await listeners(member);
    const { user_settings: before } = (await member.post('/register', TODAY)).body;
    const value = !(before[name] as boolean);
    expect((await member.patch('/settings', { [name]: value })).status).toBe(200);
    expect(await today()).toEqual([{ type: 'user_settings', op: 'update', property: name, value }]);
    expect(await old()).toEqual([]);
    expect((await member.post('/register', TODAY)).body.user_settings).toMatchObject({ [name]: value });
    await member.patch('/settings', { [name]: before[name] });
    expect((await member.patch('/settings', { [name]: 'perhaps' })).status).toBe(400);
  });

  test('Who turned typing notifications off sends none', async () => {
    const heard = await other.listen(['typing'], TODAY);
    const { stream_id } = (await member.get('/get_stream_id', { stream: 'general' })).body;
    const places = [
      ['private', 'direct', { to: [other.id] }, 'User has disabled typing notifications for direct messages'],
      ['stream', 'channel', { stream_id, topic: 'x' }, 'User has disabled typing notifications for channel messages'],
    ] as const;
    for (const [name, type, where, refusal] of places) {
      const setting = `send_${name}_typing_notifications`;
      await member.patch('/settings', { [setting]: false });
      const refused = await member.post('/typing', { op: 'start', type, ...where });
      expect(refused.body.msg).toBe(refusal);
      await member.patch('/settings', { [setting]: true });
      expect((await member.post('/typing', { op: 'stop', type, ...where })).status).toBe(200);
    }
    expect((await heard()).map(({ op }) => op)).toEqual(['stop', 'stop']);
  });
});

describe('Presence', () => {
  const ping = (by: TestUser, more = {}) => by.post('/users/me/presence', { status: 'active', ...more });
  const slim = async (more = {}) => (await ping(other, { slim_presence: true, ...more })).body;

  test('of who is invisible is given to nobody, in no way', async () => {
    await ping(member);
    expect((await slim()).presences).toHaveProperty(String(member.id));
    const heard = await other.listen(['presence']);
    await member.patch('/settings', { presence_enabled: false });
    await ping(member, { client: 'another' });
    expect((await slim()).presences).not.toHaveProperty(String(member.id));
    expect((await ping(other)).body.presences).not.toHaveProperty(member.email);
    expect((await other.get('/realm/presence')).body.presences).not.toHaveProperty(member.email);
    expect((await other.get(`/users/${member.email}/presence`)).status).toBe(400);
    for (const form of [TODAY, {}]) {
      const { presences } = (await other.post('/register', { ...form, slim_presence: true })).body;
      expect(Object.keys(presences)).toEqual([String(other.id)]);
    }
    expect((await heard()).filter(({ presence }) => 'another' in presence)).toEqual([]);
    await member.patch('/settings', { presence_enabled: true });
    expect((await slim()).presences).toHaveProperty(String(member.id));
    expect((await other.get(`/users/${member.email}/presence`)).status).toBe(200);
  });

  test('is given since an earlier answer', async () => {
    const { presence_last_update_id: registered } = (await other.post('/register', TODAY)).body;
    const { presences, presence_last_update_id: last } = await slim({ last_update_id: -1 });
    expect(Object.keys(presences).map(Number)).toEqual(expect.arrayContaining([member.id, other.id]));
    expect(last).toBeGreaterThanOrEqual(registered);
    const later = await slim({ last_update_id: last + 1000 });
    expect(later).toMatchObject({ presences: {}, presence_last_update_id: last + 1000 });
    expect((await ping(other)).body).not.toHaveProperty('presence_last_update_id');
    expect((await other.post('/register')).body).not.toHaveProperty('presence_last_update_id');
  });
});

describe('Capabilities', () => {
  const ALL =
    'bulk_message_deletion user_avatar_url_field_optional stream_typing_notifications user_settings_object ' +
    'linkifier_url_template user_list_incomplete include_deactivated_groups archived_channels empty_topic_name ' +
    'simplified_presence_events individual_emoji_changes';
  const odd = ALL.split(' ').flatMap((name) => [true, false].map((value) => ({ [name]: value })));

  test.each(odd)('A queue with %j alone hears all that happens', async (client_capabilities) => {
    const heard = await member.listen(undefined, { client_capabilities });
    const form = { type: 'stream', to: 'general', topic: 'odd', content: 'hello' };
    const { body } = await other.post('/messages', form);
    await member.post('/messages/flags', { messages: [body.id], op: 'add', flag: 'starred' });
    await member.patch('/settings', { twenty_four_hour_time: true });
    await member.patch('/settings', { twenty_four_hour_time: false });
    await owner.del(`/messages/${body.id}`);
    const events = await heard();
    const isToday = 'user_settings_object' in client_capabilities && client_capabilities['user_settings_object'];
    const settings = isToday ? 'user_settings' : 'update_display_settings';
    expect(events.map(({ type }) => type)).toEqual([
      'message',
      'update_message_flags',
      settings,
      settings,
      'delete_message',
    ]);
    if (isToday) expect(events.flatMap((event) => new Decoder().event({ id: 1, ...event }))).toEqual([]);
  });

  test.each([{ user_settings_object: 'yes' }, { archived_channels: null }, { stream_typing_notifications: 1 }])(
    '%j is refused',
    async (client_capabilities) => {
      expect((await member.post('/register', { client_capabilities })).status).toBe(400);
    },
  );

  test('A queue that asks for its settings by name hears them, whatever it says that it can', async () => {
    const heard = await member.listen(['user_settings'], { client_capabilities: { user_settings_object: false } });
    await member.patch('/settings', { enter_sends: true });
    await member.patch('/settings', { starred_message_counts: true });
    expect((await heard()).map(({ property }) => property)).toEqual(['enter_sends', 'starred_message_counts']);
  });
});

test('An upload is answered by both names, once a level is declared', async () => {
  const form = new FormData();
  form.append('file', new Blob(['notes']), 'my notes.txt');
  const headers = await node.basic(member.email);
  const { body } = await node.call('/api/v1/user_uploads', { method: 'POST', headers, raw: form });
  expect(body).toMatchObject({ uri: body.url, filename: 'my-notes.txt' });
});

/** A node with objects of every kind, so that a walk of all operations gets past their first checks. */
import { callerOf } from '../support/chat/people';
import { bearer, type Answer } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { operator } from '../support/operators';
import { pushAddress } from '../support/push-address';
import { listOperations, type GoodValues, type Operation, type Walker } from './api-walk';

export interface WalkedStack {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly operations: readonly Operation[];
  readonly walker: Walker;
}

const INSTANCE = '00000000-0000-4000-8000-000000000001';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
const idOf = ({ status, body, text }: Answer, read: (body: any) => unknown = ({ id }) => id): unknown => {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return read(body);
};

export async function openWalkedStack(): Promise<WalkedStack> {
  const cluster = await openCluster({ RATE_LIMIT: 'off', EVENTS_RATE_LIMIT: 'off', LOGIN_RATE_LIMIT: 'off' });
  await cluster.seed();
  const node = await cluster.node();
  const { key } = await operator(node.kernel, node, 'walker', 'full');
  const headers: Readonly<Record<string, Record<string, string>>> = {
    chat: await node.basic('owner@example.com'),
    telephony: bearer('demo-key-one'),
    ops: { Authorization: `Bearer ${key}` },
  };
  const [chat, telephony] = [await chatValues(node), await telephonyValues(node)];
  const good = {
    ofOperation: { ...chat.ofOperation, ...telephony.ofOperation },
    ofName: { ...chat.ofName, ...telephony.ofName },
  };
  const walker = { client: node, good, headers: (product: string) => headers[product] ?? {} };
  return { cluster, node, operations: await listOperations(node), walker };
}

async function chatValues(node: TestNode): Promise<GoodValues> {
  const owner = await callerOf(node, 'owner@example.com');
  const other = await callerOf(node, 'other@example.com');
  const bot = await callerOf(node, 'helper-bot@example.com');
  const message = { type: 'stream', to: 'test', topic: 'walk', content: 'walked' };
  const message_id = idOf(await owner.post('/messages', message));
  const poll_id = idOf(await owner.post('/messages', { ...message, content: '/poll walk?' }));
  const stream_id = idOf(await owner.get('/get_stream_id', { stream: 'test' }), ({ stream_id: id }) => id);
  const queue_id = idOf(await owner.post('/register', { event_types: '["heartbeat"]' }), (body) => body.queue_id);
  await owner.post('/user_groups/create', { name: 'walkers', description: '', members: JSON.stringify([owner.id]) });
  const group_id = idOf(await owner.get('/user_groups'), ({ user_groups: [{ id }] }) => id);
  await owner.post('/realm/profile_fields', { name: 'Walk', hint: '', field_type: '1' });
  const field_id = idOf(await owner.get('/realm/profile_fields'), ({ custom_fields: [{ id }] }) => id);
  const group = { group_name: 'walkers', description: '', stream_names: '[]' };
  await owner.post('/default_stream_groups/create', group);
  const stream_group_id = idOf(
    await owner.post('/register', { fetch_event_types: '["default_stream_groups"]' }),
    ({ realm_default_stream_groups: [{ id }] }) => id,
  );
  const folder = { name: 'Walks', description: '' };
  const channel_folder_id = idOf(await owner.post('/channel_folders/create', folder), (body) => body.channel_folder_id);
  const export_id = idOf(await owner.post('/export/realm'));
  await owner.post('/realm/domains', { domain: 'walk.example', allow_subdomains: 'false' });
  const draft = { type: 'stream', to: [stream_id], topic: 'walk', content: 'walking' };
  const draft_id = idOf(await owner.post('/drafts', { drafts: JSON.stringify([draft]) }), ({ ids: [id] }) => id);
  const later = { scheduled_delivery_timestamp: '4000000000' };
  const scheduled = { type: 'stream', to: String(stream_id), topic: 'walk', content: 'walking', ...later };
  const scheduled_message_id = idOf(
    await owner.post('/scheduled_messages', scheduled),
    (body) => body.scheduled_message_id,
  );
  const reminder = { message_id: String(message_id), ...later };
  const reminder_id = idOf(await owner.post('/reminders', reminder), (body) => body.reminder_id);
  const ids = {
    draft_id,
    scheduled_message_id,
    reminder_id,
    push_device_id: idOf(await owner.post('/push_devices', pushAddress()), (body) => body.device_id),
    message_id,
    stream_id,
    user_id: other.id,
    bot_id: bot.id,
    group_id,
    field_id,
    stream_group_id,
    channel_folder_id,
    export_id,
  };
  const words = { stream: 'test', stream_name: 'test', topic: 'walk', topic_name: 'walk', content: 'walked' };
  const reaction = { emoji_name: 'octopus' };
  const names = { name: 'New name', description: 'x', members: [owner.id], full_name: 'New Name', short_name: 'new' };
  return {
    ofName: {
      ...ids,
      ...words,
      ...reaction,
      ...names,
      queue_id,
      domain: 'walk.example',
      who: other.email,
      anchor: message_id,
      pointer: message_id,
    },
    ofOperation: {
      'POST /api/v1/messages': message,
      'GET /api/v1/messages': { anchor: message_id, num_before: 0, num_after: 0 },
      'POST /api/v1/submessage': { message_id: poll_id, msg_type: 'widget', content: '{}' },
      'GET /api/v1/messages/matches_narrow': { msg_ids: [message_id], narrow: [] },
      'POST /api/v1/messages/flags': { messages: [message_id], op: 'add', flag: 'starred' },
      'PATCH /api/v1/messages/{message_id}': { content: 'again' },
      'GET /api/v1/events': { queue_id, last_event_id: -1, dont_block: true },
      'PATCH /api/v1/users/me/subscriptions': { add: [{ name: 'test' }] },
      'POST /api/v1/users/me/subscriptions': { subscriptions: [{ name: 'test' }] },
      'DELETE /api/v1/users/me/subscriptions': { subscriptions: ['test'] },
      'PATCH /api/v1/users/me/subscriptions/muted_topics': { stream: 'test', topic: 'walk', op: 'add' },
      'POST /api/v1/user_topics': { topic: 'walk', visibility_policy: 3 },
      'PATCH /api/v1/users/me/subscriptions/{stream_id}': { property: 'color', value: '#aabbcc' },
      'PATCH /api/v1/users/me/profile_data': { data: [{ id: field_id, value: 'x' }] },
      'POST /api/v1/users/me/status': { status_text: 'x' },
      'POST /api/v1/drafts': { drafts: [draft] },
      'PATCH /api/v1/drafts/{draft_id}': { draft },
      'POST /api/v1/scheduled_messages': scheduled,
      'PATCH /api/v1/scheduled_messages/{scheduled_message_id}': { content: 'walked' },
      'POST /api/v1/reminders': reminder,
      'PATCH /api/v1/reminders/{reminder_id}': { note: 'walked' },
      'POST /api/v1/push_devices': pushAddress(),
      'POST /api/v1/users/me/alert_words': { alert_words: ['walked'] },
      'POST /api/v1/users/me/presence': { status: 'active' },
      'POST /api/v1/typing': { op: 'start', to: [other.email] },
      'GET /api/v1/users/{email}/presence': { email: other.email },
      'POST /api/v1/users': { email: 'new@example.com', password: 'a long and winding road 71' },
      'PATCH /api/v1/settings': { full_name: 'Olive Owner' },
      'PATCH /api/v1/users/{user_id}': { full_name: 'Other Name' },
      'POST /api/v1/user_groups/{group_id}/members': { add: [other.id] },
      'POST /api/v1/realm/filters': { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://example.com/%(id)s' },
      'PATCH /api/v1/user_groups/{group_id}': { name: 'walkers again' },
      'POST /api/v1/realm/profile_fields': { name: 'Another', field_type: 1 },
      'PATCH /api/v1/realm/profile_fields': { order: [field_id] },
      'PATCH /api/v1/realm/profile_fields/{field_id}': { name: 'Walked' },
      'PATCH /api/v1/default_stream_groups/{stream_group_id}': { new_description: 'walked' },
      'PATCH /api/v1/default_stream_groups/{stream_group_id}/streams': { op: 'add', stream_names: [] },
      'POST /api/v1/channel_folders/create': { name: 'More walks' },
      'PATCH /api/v1/channel_folders': { order: [channel_folder_id] },
      'PUT /api/v1/bot_storage': { storage: { a: 'b' } },
    },
  };
}

async function telephonyValues(node: TestNode): Promise<GoodValues> {
  const headers = bearer('demo-key-one');
  const get = (path: string) => node.call(path, { headers });
  const post = (path: string, json: object) => node.call(path, { headers, json });
  const contact_id = idOf(
    await get('/system/company/contacts'),
    (body) => body.find((each: { primary: boolean }) => !each.primary)?.id ?? body[0].id,
  );
  const location_id = idOf(await get('/company/locations'), ([{ id }]) => id);
  const number = '+15550109999';
  const texting_contact_id = idOf(await post('/texting/contacts', { number, first_name: 'Tex' }));
  const recipients = [{ number }];
  const conversation_id = idOf(await post('/texting/conversations', { recipients }));
  const messages = `/texting/conversations/${String(conversation_id)}/messages`;
  const message = idOf(await post(messages, { text: 'hello' }));
  const file_id = idOf(await post('/files', { name: 'walk.txt' }));
  const destination_id = idOf(await post('/fax/destinations', { emails: ['walk@example.com'] }));
  const optout_id = idOf(await post('/texting/optouts', { from_number: '+15550100001', number: '+15550109998' }));
  const ids = { contact_id, location_id, texting_contact_id, conversation_id, file_id, destination_id, optout_id };
  const versions = ['', '/v2'].flatMap((version) => {
    const list = `/texting${version}/conversations`;
    const own = `${list}/{conversation_id}`;
    return [
      [`POST ${list}`, { recipients }],
      [`POST ${own}/messages`, { text: 'hello' }],
      [`POST ${own}/messages/publish`, { text: 'hello' }],
      [`DELETE ${own}/messages/{message_id}`, { message_id: message }],
      [`POST ${own}/read`, { messagesIds: [message] }],
    ] as const;
  });
  return {
    ofName: { ...ids, instance_uuid: INSTANCE, work_queue: 'orders', number, emails: ['walk@example.com'] },
    ofOperation: {
      ...Object.fromEntries(versions),
      'POST /company/contacts': { work_email: 'walker@example.com', first_name: 'Walt', last_name: 'Walker' },
      'PATCH /status/v2/current-user': { main_status: { status: 'busy' } },
      'PATCH /status/current-user': { main_status: { status: 'busy' } },
      'POST /company/locations': { name: 'Walk' },
      'POST /instances/{instance_uuid}/bulks/extensions/check': { email: 'owner@example.com', id: 100 },
      'POST /texting/optouts': { from_number: '+15550100001', number: '+15550109997' },
      'DELETE /texting/optouts': { from_number: '+15550100001', number: '+15550109996' },
      'POST /instances/{instance_uuid}/bulks/extensions': { data: { id: 100, name: 'Walk' } },
      'POST /fax/messages': { to: number, file_id },
      'POST /webhooks/texting/{carrier}/{token}': { carrier: 'simulated', token: 'demo-carrier-one' },
      'POST /webhooks/fax/{carrier}/{token}': { carrier: 'simulated', token: 'demo-carrier-one' },
    },
  };
}

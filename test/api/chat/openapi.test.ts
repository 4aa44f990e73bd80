import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCluster, type Cluster } from '../../support/kernel/cluster';

let cluster: Cluster;
let paths: Record<string, Record<string, Operation>>;

type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Record<string, { schema: { properties: Record<string, Schema> } }> };
  readonly responses: Record<string, { content?: Record<string, { examples: Record<string, { value: Body }> }> }>;
}
interface Body {
  readonly result: string;
  readonly msg: string;
}

beforeAll(async () => {
  cluster = await openCluster();
  paths = (await (await cluster.node()).call('/openapi.json')).body.paths;
});
afterAll(() => cluster.close());

/** The endpoints of the specification, each with its parameters. */
const SPECIFIED: Readonly<Record<string, string>> = {
  'post /messages': 'type to topic subject content',
  'post /mark_all_as_read': '',
  'post /mark_stream_as_read': 'stream_id',
  'post /mark_topic_as_read': 'stream_id topic_name',
  'post /users/me/subscriptions':
    'subscriptions invite_only principals authorization_errors_fatal history_public_to_subscribers is_announcement_only announce',
  'delete /users/me/subscriptions': 'subscriptions principals',
  'get /users/me/subscriptions': 'include_subscribers',
  'get /streams':
    'include_public include_subscribed include_all_active include_default include_owner_subscribed exclude_archived',
  'patch /users/me/subscriptions/muted_topics': 'stream stream_id topic op',
  'get /messages':
    'anchor use_first_unread_anchor num_before num_after narrow client_avatar client_gravatar apply_markdown',
  'get /messages/{message_id}/history': 'message_id',
  'delete /messages/{message_id}': 'message_id',
  'post /register':
    'apply_markdown client_avatar client_gravatar event_types all_public_streams include_subscribers fetch_event_types narrow',
  'get /events': 'queue_id last_event_id dont_block',
  'delete /events': 'queue_id',
  'get /users/me': '',
  'get /users': 'client_avatar client_gravatar include_custom_profile_fields include_roles',
  'get /server_settings': '',
  'post /dev_fetch_api_key': 'username',
  'post /external/{integration}': 'integration stream topic',
};

/** Further endpoints that common clients call. */
const CALLED_BESIDES: Readonly<Record<string, string>> = {
  'post /fetch_api_key': 'username password',
  'get /users/me/{stream_id}/topics': 'stream_id',
  'post /messages/flags': 'messages op flag',
  'post /users/me/presence': 'status ping_only new_user_input',
  'patch /messages/{message_id}':
    'message_id content topic subject propagate_mode stream_id send_notification_to_old_thread send_notification_to_new_thread',
  'get /messages/{message_id}/read_receipts': 'message_id',
  'get /drafts': '',
  'post /drafts': 'drafts',
  'patch /drafts/{draft_id}': 'draft_id draft',
  'delete /drafts/{draft_id}': 'draft_id',
  'post /user_topics': 'stream_id topic visibility_policy',
  'get /users/me/topics': 'query',
  'post /users/me/status': 'status_text emoji_name emoji_code reaction_type scheduled_end_time',
  'post /users/me/alert_words': 'alert_words',
  'post /users/me/enter-sends': 'enter_sends',
  'get /invites': '',
  'post /invites': 'invitee_emails invite_as stream_ids invite_expires_in_minutes',
  'post /invites/multiuse': 'invite_as stream_ids invite_expires_in_minutes max_uses',
  'delete /invites/multiuse/{link_id}': 'link_id',
  'post /user_groups/create': 'name description members',
  'post /user_groups/{group_id}/members': 'group_id add delete',
  'post /user_groups/{group_id}/subgroups': 'group_id add delete',
  'get /user_groups/{group_id}/members': 'group_id direct_member_only',
  'get /messages/{message_id}': 'message_id',
  'get /get_stream_id': 'stream',
  'get /streams/{stream_id}/members': 'stream_id',
  'post /users/me/subscriptions/properties': 'subscription_data',
  'patch /users/me/subscriptions': 'add delete',
  'post /messages/{message_id}/reactions': 'message_id emoji_name emoji_code reaction_type',
  'delete /messages/{message_id}/reactions': 'message_id emoji_name emoji_code reaction_type',
  'post /typing': 'op to',
  'post /messages/render': 'content',
  'post /user_uploads': 'file',
  'get /realm/emoji': '',
  'post /realm/emoji/{emoji_name}': 'emoji_name file',
  'delete /realm/emoji/{emoji_name}': 'emoji_name',
  'get /realm/filters': '',
  'post /realm/filters': 'pattern url_format_string',
  'delete /realm/filters/{filter_id}': 'filter_id',
  'get /users/{email}/presence': 'email',
  'post /users': 'email password full_name short_name',
  'get /bots': '',
  'post /bots': 'full_name short_name bot_type',
  'patch /bots/{bot_id}': 'bot_id full_name bot_owner_id',
  'delete /bots/{bot_id}': 'bot_id',
  'post /bots/{bot_id}/api_key/regenerate': 'bot_id',
  'patch /settings': 'full_name email old_password new_password send_read_receipts',
  'patch /settings/display': 'night_mode',
  'patch /settings/notifications': 'enable_sounds',
  'patch /streams/{stream_id}': 'stream_id description new_name is_private is_announcement_only is_archived folder_id',
  'delete /streams/{stream_id}': 'stream_id',
  'post /streams/{stream_id}/delete_topic': 'stream_id topic_name',
  'post /default_streams': 'stream_name',
  'delete /default_streams': 'stream_name',
  'get /user_groups': '',
  'get /realm/profile_fields': '',
  'patch /users/me/profile_data': 'data',
  'get /users/me/alert_words': '',
  'get /users/me/pointer': '',
  'get /channel_folders': 'include_archived',
  'post /channel_folders/create': 'name description',
  'patch /channel_folders': 'order',
  'patch /channel_folders/{channel_folder_id}': 'channel_folder_id name description is_archived',
};

const namesIn = ({ parameters = [], requestBody }: Operation): string[] => [
  ...parameters.map(({ name }) => name),
  ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => Object.keys(schema.properties)),
];

test.each(Object.entries({ ...SPECIFIED, ...CALLED_BESIDES }))(
  'The OpenAPI document describes %s with its parameters',
  (endpoint, params) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const operation = paths[`/api/v1${path}`]?.[method];
    expect(operation?.summary).toEqual(expect.any(String));
    expect(namesIn(operation!)).toEqual(expect.arrayContaining(params.split(' ').filter(Boolean)));
  },
);

/** The schema of each field of a request. */
const fieldsOf = ({ parameters = [], requestBody }: Operation): [string, Schema][] => [
  ...parameters.map(({ name, schema }): [string, Schema] => [name, schema]),
  ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => Object.entries(schema.properties)),
];

test('The OpenAPI document gives every request field a type', () => {
  const untyped = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      fieldsOf(operation)
        .filter(([, schema]) => schema['type'] === undefined && schema['anyOf'] === undefined)
        .map(([name]) => `${method} ${path} ${name}`),
    ),
  );
  expect(untyped).toEqual([]);
});

test('The OpenAPI document describes the JSON inside form fields and queries', () => {
  const json = (contentSchema: object) => ({ type: 'string', contentMediaType: 'application/json', contentSchema });
  const fields = (method: string, path: string) => Object.fromEntries(fieldsOf(paths[`/api/v1${path}`]![method]!));
  const list = (items: object) =>
    json(expect.objectContaining({ type: 'array', items: expect.objectContaining(items) }));
  expect(fields('post', '/register')).toMatchObject({
    event_types: list({ type: 'string' }),
    narrow: list({ type: 'array' }),
    apply_markdown: { type: 'boolean' },
  });
  expect(fields('get', '/messages/matches_narrow')).toMatchObject({
    msg_ids: list({ type: 'integer' }),
    narrow: json({ type: 'array' }),
  });
  expect(fields('post', '/users/me/subscriptions')['subscriptions']).toEqual(json({ type: 'array' }));
  expect(fields('post', '/messages')['type']).toEqual({ type: 'string', enum: ['stream', 'private'] });
});

test('The OpenAPI document has the download route of uploaded files outside /api/v1', () => {
  expect(paths['/user_uploads/{realm_id}/{prefix}/{token}/{name}']?.['get']).toBeDefined();
});

const examples = (): { route: string; status: string; body: Body }[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses).flatMap(([status, { content = {} }]) =>
          Object.values(content['application/json']?.examples ?? {}).map(({ value: body }) => {
            return { route: `${method} ${path.slice('/api/v1'.length)}`, status, body };
          }),
        ),
      ),
    );

test('The OpenAPI document shows error examples for every specified endpoint', () => {
  const shown = examples();
  for (const { body } of shown) expect(body).toMatchObject({ result: 'error', msg: expect.any(String) });
  const silent = Object.keys(SPECIFIED).filter((endpoint) => !shown.some(({ route }) => route === endpoint));
  expect(silent).toEqual([]);
  const statuses = (endpoint: string) => shown.filter(({ route }) => route === endpoint).map(({ status }) => status);
  expect(statuses('get /users/me')).toEqual(expect.arrayContaining(['401', '429']));
  expect(statuses('post /users/me/subscriptions')).toContain('403');
});

/** The sources of all tests, without the backslashes before quotation marks. */
function testSources(): string {
  const folder = join(__dirname, '../..');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('chat/openapi.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll("\\'", "'"))
    .join('\n');
}

/** The same text about another name, number or stream. */
function quoted(message: string): RegExp {
  const escaped = message.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    escaped
      .replaceAll(/(?<!\w)'[^']*'/g, "'[^']*'")
      .replaceAll(/\d+/g, '[^ ]+')
      .replaceAll('\\(leadership\\)', '\\([^)]*\\)')
      .replaceAll(/nowhere|near|mood|nothing|ada@example\\.com|away|no such user|0:0|stream_id$/g, '[^\\n]*'),
  );
}

test('Every error message in the OpenAPI document is quoted by a test', () => {
  const sources = testSources();
  const messages = [...new Set(examples().map(({ body }) => body.msg))].filter(
    (message) => !/^(Missing|Bad value for) '/.test(message),
  );
  expect(messages.length).toBeGreaterThan(80);
  expect(messages.filter((message) => !quoted(message).test(sources))).toEqual([]);
});

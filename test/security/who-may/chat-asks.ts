/** A sound request of every route of chat, about somebody else's things or about the caller's own. */
import { fileIn, FOREIGN_ASKS, type Things } from '../../api/chat/foreign-asks';
import { OWN_ASKS } from '../../api/chat/own-asks';
import { encoded, type Caller } from '../../support/chat-people';
import type { Answer, Ask } from '../../support/client';
import { formOf, PNG } from '../../support/pictures';

type Fields = Readonly<Record<string, unknown>>;

export interface Asking {
  /** By method and path as in the OpenAPI document. */
  readonly route: string;
  /** The route, and which of its requests where it has several. */
  readonly name: string;
  readonly fields: (things: Things) => Fields;
}

/** What requests about the caller's own things carry; the others carry nothing. */
const OWN_FIELDS: Readonly<Record<string, Fields>> = {
  'PATCH /api/v1/settings': { full_name: 'Another Name' },
  'PATCH /api/v1/settings/display': { night_mode: true },
  'PATCH /api/v1/settings/notifications': { enable_sounds: false },
  'POST /api/v1/users/me/enter-sends': { enter_sends: true },
  'POST /api/v1/users/me/status': { status_text: 'busy', away: true },
  'POST /api/v1/users/me/hotspots': { hotspot: 'intro_reply' },
  'POST /api/v1/users/me/tutorial_status': { status: 'started' },
  'POST /api/v1/zcommand': { command: '/ping' },
  'POST /api/v1/users/me/alert_words': { alert_words: ['fire'] },
  'DELETE /api/v1/users/me/alert_words': { alert_words: ['fire'] },
  'POST /api/v1/users/me/presence': { status: 'active' },
  'POST /api/v1/realm/profile_fields': { name: 'Phone', field_type: 1 },
  'POST /api/v1/realm/filters': { pattern: 'x(?P<id>[0-9]+)', url_format_string: 'https://y.example/%(id)s' },
  'POST /api/v1/realm/domains': { domain: 'other.example', allow_subdomains: true },
  'POST /api/v1/users/me/apns_device_token': { token: 'ab12', appid: 'org.example' },
  'DELETE /api/v1/users/me/apns_device_token': { token: 'ab12' },
  'POST /api/v1/users/me/android_gcm_reg_id': { token: 'ab12' },
  'DELETE /api/v1/users/me/android_gcm_reg_id': { token: 'ab12' },
  'PATCH /web/sign-in-rules': { two_factor_required: false },
  'PUT /web/openid-providers/{provider}': {
    display_name: 'Mine',
    issuer: 'https://idp.example.com',
    client_id: 'a',
    client_secret: 'b',
    domains: ['example.com'],
  },
  'POST /web/two-factor/confirm': { code: '000000' },
  'PUT /api/v1/bot_storage': { storage: { a: 'b' } },
  'GET /api/v1/realm/logo': { night: true },
  'POST /api/v1/realm/logo': { night: true },
  'DELETE /api/v1/realm/logo': { night: true },
};

/** Where the requests about another organisation's things would be refused for a reason other than rights. */
const INSTEAD: Readonly<Record<string, readonly ((things: Things) => Fields)[]>> = {
  'POST /api/v1/users': [
    () => ({ email: 'new@example.com', password: 'correct horse battery staple', full_name: 'Somebody New' }),
  ],
  'POST /api/v1/user_groups/{group_id}/members': [({ user_id: id }) => ({ delete: [id] })],
  'PATCH /api/v1/users/me/subscriptions/muted_topics': [
    ({ stream_id: id }) => ({ stream_id: id, topic: 'plans', op: 'add' }),
    ({ stream }) => ({ stream, topic: 'plans', op: 'remove' }),
  ],
  'PATCH /api/v1/bots/{bot_id}': [() => ({ full_name: '"Taken Over Too"' })],
  'PATCH /api/v1/default_stream_groups/{stream_group_id}/streams': [() => ({ op: 'add', stream_names: [] })],
};

/** Names that a world does not have are filled in by hand. */
const pathOf = (path: string, things: Things): string =>
  path
    .replace('{shelf}', '00')
    .replace('{name}', 'plans.txt')
    .replace('{provider}', 'idp')
    .replace('{file}', fileIn(path, things))
    .replace('{who}', String(things.user_id))
    .replace(/\{(\w+)\}/g, (_, name: keyof Things) => encodeURIComponent(things[name]));

const foreign = Object.entries({ ...FOREIGN_ASKS, ...INSTEAD }).flatMap(([route, asks]) =>
  asks.map((fields, place) => ({ route, fields, name: asks.length > 1 ? `${route} (${place + 1})` : route })),
);
const own = [...OWN_ASKS, 'GET /avatar/{who}', 'GET /avatar/{who}/medium'].map((route) => ({
  route,
  name: route,
  fields: () => OWN_FIELDS[route] ?? {},
}));

/** They end what the others need: the things, and at the end the caller. */
const LAST = [
  'POST /api/v1/realm/profile_fields',
  'DELETE /api/v1/messages/{message_id}',
  'POST /api/v1/streams/{stream_id}/delete_topic',
  'PATCH /api/v1/streams/{stream_id}',
  'DELETE /api/v1/users/me/subscriptions',
  'DELETE /api/v1/streams/{stream_id}',
  'DELETE /api/v1/bots/{bot_id}',
  'DELETE /api/v1/users/{user_id}',
  'POST /api/v1/users/{user_id}/reactivate',
  'POST /api/v1/users/me/api_key/regenerate',
  'POST /api/v1/realm/deactivate',
  'DELETE /api/v1/users/me',
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const orderOf = ({ route }: Asking): number =>
  LAST.includes(route) ? 10 + LAST.indexOf(route) : METHODS.indexOf(route.split(' ')[0]!);

/** In an order in which the first ones leave the later ones their things. */
export const ASKINGS: readonly Asking[] = [...foreign, ...own].sort((a, b) => orderOf(a) - orderOf(b));

const FILES = /user_uploads$|realm\/emoji\/[^/]+$|\/avatar$|\/icon$|\/logo$/;

export function asked({ route, fields }: Asking, things: Things): { path: string; ask: Ask } {
  const [method = '', template = ''] = route.split(' ');
  const path = pathOf(template, things);
  const sent = encoded(fields(things));
  if (method === 'POST' && FILES.test(path)) {
    const raw = formOf(PNG);
    for (const [name, value] of Object.entries(sent)) raw.append(name, value);
    return { path: path.replace('anvil', 'hammer'), ask: { method, raw } };
  }
  return { path, ask: method === 'GET' ? { query: sent } : { method, form: sent } };
}

export function askAs(actor: Caller, asking: Asking, things: Things): Promise<Answer> {
  const { path, ask } = asked(asking, things);
  return actor.ask(path, ask);
}

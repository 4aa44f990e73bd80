/** A valid request for every route of chat, about other users' objects or the caller's own. */
import { askingsOf, type Asking } from '../../support/chat/requests/derive';
import { NOTHING, pathOf, type Things } from '../../support/chat/requests/things';
import { encoded, type Caller } from '../../support/chat/people';
import type { Answer, Ask } from '../../support/http/client';
import { formOf, PNG } from '../../support/pictures';
import type { RouteOfDocument } from '../routes';
import { APART } from './chat-apart';

type Fields = Readonly<Record<string, unknown>>;

/** Where requests about another organisation's objects would be refused for a reason other than rights. */
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

/** These delete what the other requests need: the objects, and finally the caller. */
const LAST = [
  'POST /api/v1/realm/profile_fields',
  'POST /api/v1/channel_folders/create',
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
/**
 * After the requests that need an unsubscribed caller, and after those that need a subscribed one; and before there is another
 * linkifier, which it would have to name.
 */
const BETWEEN: Readonly<Record<string, number>> = {
  'PATCH /api/v1/realm/linkifiers': 0.5,
  'POST /api/v1/users/me/subscriptions': 1.5,
  'PATCH /api/v1/users/me/subscriptions': 3.5,
};
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const orderOf = ({ route }: Asking): number =>
  LAST.includes(route) ? 10 + LAST.indexOf(route) : (BETWEEN[route] ?? METHODS.indexOf(route.split(' ')[0]!));

/** In an order in which earlier requests leave the later ones their objects. */
export function askingsInOrder(routes: readonly RouteOfDocument[]): Asking[] {
  const derived = askingsOf(routes.filter(({ name }) => !(name in INSTEAD) && !APART.has(name)));
  const instead = Object.entries(INSTEAD).flatMap(([route, asks]) =>
    asks.map((fields, place) => ({
      route,
      fields,
      name: asks.length > 1 ? `${route} (${place + 1})` : route,
      isForeign: true,
    })),
  );
  return [...derived, ...instead].sort((a, b) => orderOf(a) - orderOf(b));
}

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

/** What is in the stream, or hangs on something in it. */
const OF_STREAM: ReadonlySet<string | symbol> = new Set([
  'stream',
  'stream_id',
  'message_id',
  'poll_id',
  'attachment_id',
  'token',
  'reminder_id',
  'invite_id',
]);

/** Whether a request names the stream or something in it. Who may make the others does not depend on the stream. */
export function isOfStream(asking: Asking): boolean {
  let isNamed = false;
  const noting = new Proxy(NOTHING, {
    get(things, name, receiver) {
      isNamed ||= OF_STREAM.has(name);
      return Reflect.get(things, name, receiver) as unknown;
    },
  });
  asked(asking, noting);
  return isNamed;
}

/** Chat's wire format: Basic credentials, form parameters with JSON values, and the {result, msg} envelope. */
import { decodeBasic } from '../../kernel/secrets/basic-credentials';
import { Fault } from '../../kernel/fault';
import { rememberByConnection } from '../../kernel/http/connection/remembered';
import type { Incoming } from '../../kernel/http/incoming';
import type { ParamIssue } from '../../kernel/http/params';
import type { Call, RouteFacts } from '../../kernel/http/route';
import { statusOf, type WireFormat } from '../../kernel/http/wire-format';
import { otherOrigin, pageTokenRequired, sessionEnded } from '../../kernel/sessions/page-faults';
import { isFromPage, readPageSession } from '../../kernel/web-pages/page-requests';
import { callerKey } from '../model/accounts/credentials';
import { CHAT_COOKIE } from '../model/accounts/session';
import { secondFactorMissing, sessionsOnly } from '../model/accounts/two-factor';
import { inEnvelope, refusal } from '../model/answers/envelope';
import {
  badArgument,
  badRequest,
  invalidKey,
  missingArgument,
  notForWebhookBots,
  notLoggedIn,
  wrongSubdomain,
} from '../model/faults';
import { requestedHost } from '../model/organisation/address';
import { realmTenant } from '../model/organisation/realm';
import { INCOMING_WEBHOOK, type User } from '../model/users/user';
import { ensureHuman } from '../model/users/user-policy';
import type { Chat, Authentication } from '../parts';
import { findCachedCaller, findCaller, type CallerHeaders } from '../queries/accounts/find-caller';
import { ensureHasFactor } from '../queries/accounts/get-two-factor';
import { findWebhookBot, type WebhookKey } from '../queries/accounts/keys';

/** Admits the API keys of incoming webhook bots, which routes refuse by default. */
export const WEBHOOK_BOTS = 'webhook-bots';

/** Admits an incoming webhook bot's key in the query or as a Basic password. */
export const WEBHOOK_KEYS = 'webhook-keys';

/**
 * Admits cached callers to what is not a GET: the node receives every change to them, though not at once. Other commands
 * read their caller's row, because they authorise by it.
 */
export const CACHED_CALLERS = 'recent-callers';

/** For files that pages show: a session cookie alone is enough. */
export const COOKIE_ALONE = 'cookie-alone';

/** Admits users who lack the second factor that their organisation requires. */
export const LACKING_FACTOR = 'lacking-factor';

/**
 * For routes that answer with a new key, or change who needs a factor: a caller by key must have the second factor that
 * the organisation requires. A session that may call them has it, or is of an OpenID provider.
 */
export const NEEDS_FACTOR = 'needs-factor';

/** For routes that no key opens, because whoever has only a key could lock the owner of the account out. */
export const SESSIONS_ONLY = 'sessions-only';

/** What hands out or changes credentials reads its caller's row, and a session without its factor is cached for nobody. */
const CAREFUL = [LACKING_FACTOR, NEEDS_FACTOR, SESSIONS_ONLY];

const takesCached = ({ method, admits }: RouteFacts): boolean =>
  (method === 'get' || admits.includes(CACHED_CALLERS)) && !CAREFUL.some((each) => admits.includes(each));

/** Whom a route admits. */
interface Admission {
  readonly takesCached: boolean;
  readonly takesWebhookKeys: boolean;
  readonly takesWebhookBots: boolean;
  readonly mayLackFactor: boolean;
  readonly needsFactor: boolean;
  readonly isSessionsOnly: boolean;
  readonly isFile: boolean;
}

const admissionOf = (route: RouteFacts): Admission => ({
  takesCached: takesCached(route),
  takesWebhookKeys: route.admits.includes(WEBHOOK_KEYS),
  takesWebhookBots: route.admits.includes(WEBHOOK_BOTS),
  mayLackFactor: route.admits.includes(LACKING_FACTOR),
  needsFactor: route.admits.includes(NEEDS_FACTOR),
  isSessionsOnly: route.admits.includes(SESSIONS_ONLY),
  isFile: route.admits.includes(COOKIE_ALONE),
});

/** Searching a route's words for each request takes as long as finding a cached caller. */
const known = new WeakMap<RouteFacts, Admission>();
function admissionFor(route: RouteFacts): Admission {
  let admission = known.get(route);
  if (!admission) known.set(route, (admission = admissionOf(route)));
  return admission;
}

/** Hashing the header takes longer than finding the cached caller. */
const keyOf = rememberByConnection(callerKey);
const hostOf = rememberByConnection(requestedHost);
const callerHeadersOf = ({ host, request }: Incoming, authorization: string): CallerHeaders => ({
  key: keyOf(authorization, request),
  host: hostOf(host, request),
});

/** Runs a route for people, and refuses bots. */
export const forPeople =
  <Params>(run: (call: Call<User, Params>) => Promise<unknown>) =>
  async (call: Call<User, Params>): Promise<unknown> => {
    ensureHuman(call.by);
    return run(call);
  };

/** Writes lists in JSON bodies as JSON text. In a form, an array would mean a repeated field. */
const withListsAsText = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? JSON.stringify(value) : (value as unknown),
    ]),
  );

type Fields = Record<string, unknown>;

export const chatWireFormat = (chat: Authentication & Pick<Chat, 'webhookBots'>): WireFormat<User> => ({
  headers: {
    'Cache-Control': 'private, no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': 'Authorization',
    'Access-Control-Allow-Methods': 'GET, POST, DELETE, PUT, PATCH, HEAD',
  },
  isFromPage: isFromPage(CHAT_COOKIE),
  refusalsOf,
  envelope: inEnvelope,
  failureBody: refusal,
  security: { name: 'basic', schemes: { basic: { type: 'http', scheme: 'basic', description: 'Email and API key' } } },

  async authenticate(_kernel, incoming, route) {
    const admits = admissionFor(route);
    if (admits.takesWebhookKeys) return findWebhookBot(chat, webhookKey(incoming), incoming);
    const authorization = incoming.header('authorization');
    // A key takes precedence over a session, because it names the account explicitly.
    const rules = { cookie: CHAT_COOKIE, secrets: chat.secrets, isFile: admits.isFile };
    const session = authorization === '' ? readPageSession(incoming, rules) : undefined;
    const { mayLackFactor } = admits;
    const shown = { authorization, session, mayLackFactor, host: incoming.host, from: incoming.ip };
    const known = session === undefined ? callerHeadersOf(incoming, authorization) : undefined;
    const user = await (admits.takesCached ? findCachedCaller(chat, shown, known) : findCaller(chat, shown));
    if (user.botType === INCOMING_WEBHOOK && !admits.takesWebhookBots) throw notForWebhookBots();
    if (session === undefined) {
      // Not `ensure`: making a fault for each request would cost more than the rest of this function.
      if (admits.isSessionsOnly) throw sessionsOnly();
      if (admits.needsFactor) await ensureHasFactor(chat.mysql, user);
    }
    return user;
  },

  limitKey: (by) => `chat:${by.id}`,
  tenantOf: (by) => realmTenant(by.realmId),

  /** Merges query and body on every method. The body wins. */
  rawParams(incoming) {
    const { body, pathParams } = incoming;
    const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
    const fields = (incoming.header('content-type').includes('json') ? withListsAsText(given) : given) as Fields;
    // Merging costs as much as parsing, and most requests have all their fields in one place.
    if (incoming.search === '' && Object.keys(pathParams).length === 0) return fields;
    return { ...incoming.query, ...fields, ...pathParams };
  },

  invalidParams(issues, raw) {
    const [issue] = issues;
    return issue ? faultOfIssue(issue, raw) : badRequest('Invalid request');
  },

  success: (value, route) => ({
    status: route.status,
    body: { result: 'success', msg: '', ...(value as Record<string, unknown> | undefined) },
  }),

  failure: (fault: Fault) => ({
    status: statusOf(fault),
    body: {
      result: 'error',
      msg: fault.message,
      ...(fault.code === undefined ? {} : { code: fault.code }),
      ...fault.fields,
    },
  }),
});

/** Zulip's notation for a position in JSON: `subscriptions[0]["name"]`. */
function placeOf([name = '', ...inside]: ParamIssue['path']): string {
  return String(name) + inside.map((part) => (typeof part === 'number' ? `[${part}]` : `["${part}"]`)).join('');
}

const ARTICLES: Readonly<Record<string, string>> = {
  boolean: 'a boolean',
  string: 'a string',
  number: 'an integer',
  int: 'an integer',
  array: 'a list',
  object: 'a dict',
  record: 'a dict',
};

function faultOfIssue(issue: ParamIssue, raw: Readonly<Record<string, unknown>>): Fault {
  const name = String(issue.path[0] ?? '');
  switch (issue.refusal) {
    case 'missing':
      return missingArgument(name);
    case 'not-json':
      return badRequest(`Argument "${name}" is not valid JSON.`);
    case 'bad-value':
      return badArgument(name, printed(raw[name]));
    case 'wrong-type':
      return badRequest(`${placeOf(issue.path)} is not ${ARTICLES[issue.expected] ?? `a ${issue.expected}`}`);
    case 'wrong-value':
      return badRequest(`${placeOf(issue.path)}: ${issue.message}`);
  }
}

function printed(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 200);
}

/** The key in the query, or the bot's email and key as Basic credentials. Some services can send only a password. */
function webhookKey(incoming: Incoming): WebhookKey {
  const { api_key: given } = incoming.query;
  if (typeof given === 'string') return { key: given, email: '' };
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(incoming.header('authorization')) ?? [];
  if (encoded === undefined) throw missingArgument('api_key');
  const decoded = decodeBasic(encoded) ?? '';
  const colon = decoded.lastIndexOf(':');
  return { key: decoded.slice(colon + 1), email: decoded.slice(0, Math.max(colon, 0)) };
}

/** For requests with a session cookie. */
const PAGE_REFUSALS: readonly Fault[] = [sessionEnded(), pageTokenRequired(), otherOrigin(), secondFactorMissing()];

/** For the OpenAPI document: the refusals common to all endpoints, then the route's own. */
function refusalsOf(route: RouteFacts): readonly Fault[] {
  const needed = Object.entries(route.params).find(([, schema]) => !schema.safeParse(undefined).success)?.[0];
  const counted = new Fault('too-many', 'API usage exceeded rate limit', { fields: { 'retry-after': 1.5 } });
  return [
    ...(route.authenticated ? [notLoggedIn(), invalidKey(), wrongSubdomain(), ...PAGE_REFUSALS] : []),
    ...(route.limited ? [counted] : []),
    ...(needed === undefined ? [] : [missingArgument(needed), badArgument(needed, '…')]),
    ...route.refuses,
  ];
}

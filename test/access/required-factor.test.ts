import { newToken } from '../../src/chat/model/mail/mail';
import type { UserId } from '../../src/chat/model/users/user';
import * as resets from '../../src/chat/store/accounts/password-resets';
import { totpCode, totpStep } from '../../src/kernel/passwords/totp';
import { newUser, userOf, type TestUser } from '../support/chat/chat';
import { basicHeader, type Answer } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { startProvider, type TestProvider } from '../support/servers/openid';
import { cookieOf, pageOf, signIn } from '../support/http/pages';
import { routesOf, type RouteOfDocument } from './routes';

const ME = '/api/v1/users/me';
const PASSWORD = 'plain words of nobody';
const CALLBACK = 'GET /web/openid/{provider}/callback';

let cluster: Cluster;
let node: TestNode;
let admin: TestUser;
let provider: TestProvider;
let routes: RouteOfDocument[];

beforeAll(async () => {
  cluster = await openCluster({
    // The address to which the provider redirects browsers.
    PUBLIC_URL: 'https://chat.example.com',
    LOGIN_LIMIT: 'off',
    PASSWORD_RESET_LIMIT: 'off',
    RATE_LIMIT: 'off',
    OPENID_CALL_MS: '20000',
    OUTBOUND_NETWORKS: '127.0.0.0/8',
    OUTBOUND_HOSTS: 'localhost=127.0.0.1',
  });
  await cluster.seed();
  [node, provider] = await Promise.all([cluster.node(), startProvider()]);
  routes = await routesOf(node, 'chat');
  admin = await userOf(node, 'owner');
  const json = { display_name: 'Company login', issuer: provider.issuer, client_id: 'partyline', domains: [] };
  await asAdmin('/web/openid-providers/idp', 'PUT', { ...json, client_secret: 'a secret of the client' });
});
afterAll(() => Promise.all([cluster.close(), provider.close()]));

let adminKey: Promise<{ Authorization: string }> | undefined;
async function asAdmin(path: string, method: string, json: object): Promise<void> {
  const headers = await (adminKey ??= node.basic(admin.email));
  expect((await node.call(path, { method, json, headers })).status).toBe(200);
}
/** An administrator without a second factor cannot lift the rule by key, so the row is deleted. */
const demand = (two_factor_required: boolean) =>
  two_factor_required
    ? asAdmin('/web/sign-in-rules', 'PATCH', { two_factor_required })
    : node.kernel.mysql('chat_sign_in_rules').delete();

/** A user without a second factor, whose password is "demo". */
async function person(name: string): Promise<TestUser> {
  const user = await newUser(node, name);
  const { mysql } = node.kernel;
  const { password_hash } = await mysql('chat_users').where({ email: 'member@example.com' }).first('password_hash');
  await mysql('chat_users').where({ id: user.id }).update({ password_hash });
  return user;
}

async function invited(email: string): Promise<string> {
  const { stream_id: id } = (await admin.get('/get_stream_id', { stream: 'test' })).body;
  expect((await admin.post('/invites', { invitee_emails: email, stream_ids: [id] })).status).toBe(200);
  const { nonce } = await node.kernel.mysql('chat_invitations').where({ email }).first('nonce');
  return node.kernel.secrets.token('invitation', nonce);
}

/** Created in the same way as by the worker that emails the link. */
async function resetFor({ email, id }: TestUser): Promise<string> {
  expect((await node.call('/api/v1/password_reset', { form: { email } })).status).toBe(200);
  const { mysql, secrets } = node.kernel;
  const { id: mailId } = await mysql('chat_mails').where({ recipient: email }).first('id');
  const token = newToken(secrets, 'password-reset');
  const made = { userId: id as UserId, token, validMs: 600_000 };
  return secrets.token('password-reset', await resets.ensureFor(mysql, mailId, made));
}

/** Requests of routes that need more than a path, so that each route does all that it would do for this user. */
const ASKED: Readonly<Record<string, (by: TestUser) => Promise<Answer>>> = {
  'POST /api/v1/dev_fetch_api_key': ({ email }) =>
    node.call('/api/v1/dev_fetch_api_key', { form: { username: email } }),
  'POST /api/v1/fetch_api_key': ({ email }) =>
    node.call('/api/v1/fetch_api_key', { form: { username: email, password: 'demo' } }),
  'POST /api/v1/join': async ({ id }) =>
    node.call('/api/v1/join', {
      form: { token: await invited(`joins-${id}@example.net`), full_name: 'Somebody New', password: PASSWORD },
    }),
  'POST /join/{invitation_token}': async ({ id }) =>
    node.call(`/join/${await invited(`page-${id}@example.net`)}`, {
      form: { full_name: 'Somebody New', password: PASSWORD },
    }),
  'POST /api/v1/join/request': ({ id }) =>
    node.call('/api/v1/join/request', { form: { token: 'x'.repeat(43), email: `asks-${id}@example.net` } }),
  'POST /api/v1/password_reset': ({ email }) => node.call('/api/v1/password_reset', { form: { email } }),
  'POST /password_reset/': ({ email }) => node.call('/password_reset/', { form: { email } }),
  'POST /api/v1/password_reset/use': async (by) =>
    node.call('/api/v1/password_reset/use', { form: { token: await resetFor(by), password: PASSWORD } }),
  'POST /password_reset/{password_token}': async (by) =>
    node.call(`/password_reset/${await resetFor(by)}`, { form: { password: PASSWORD } }),
  'POST /confirm_email/{email_token}': () => node.call(`/confirm_email/${'x'.repeat(43)}`, { method: 'POST' }),
  'POST /unsubscribe/{unsubscribe_token}': () => node.call(`/unsubscribe/${'x'.repeat(43)}`, { method: 'POST' }),
  'GET /web/session': async ({ email }) =>
    node.call('/web/session', { headers: { Cookie: cookieOf(await signIn(node, email)) } }),
  'POST /web/session': ({ email }) => signIn(node, email),
  'POST /web/session (one click)': ({ email }) => node.call('/web/session', { json: { demo: email } }),
  [CALLBACK]: ({ email, id }) => provider.signIn(node, { sub: `sub-${id}`, email, email_verified: true }),
};

/** These take what an email or the address bar of a browser contains. */
const plainly = ({ path }: RouteOfDocument): Promise<Answer> => node.call(path.replaceAll(/\{\w+\}/g, 'x'));

/** Whether a response grants access: it contains an API key, or the cookie of a session. */
async function opens({ body, ...answer }: Answer): Promise<boolean> {
  if (typeof body?.api_key === 'string') {
    return (await node.call(ME, { headers: basicHeader(body.email, body.api_key) })).status === 200;
  }
  const Cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0]!)
    .find((pair) => /^partyline_session=./.test(pair));
  if (Cookie === undefined) return false;
  const { token } = (await node.call('/web/session', { headers: { Cookie } })).body;
  return (await node.call(ME, { headers: { Cookie, 'X-Partyline-Token': token } })).status === 200;
}

/** Calls every unauthenticated route, each for a new user. Returns those whose response grants access. */
async function openersOf(round: string): Promise<string[]> {
  const open = routes.filter(({ isOpen }) => isOpen);
  const extra = Object.keys(ASKED).filter((name) => !open.some((route) => route.name === name));
  const names = [...open.map(({ name }) => name), ...extra];
  const found: string[] = [];
  for (const [at, name] of names.entries()) {
    const ask = ASKED[name];
    const route = open.find((each) => each.name === name);
    if (!ask && route?.method !== 'GET') throw new Error(`How is ${name} asked? Add it to ASKED.`);
    const answer = ask ? await ask(await person(`${round}-${at}`)) : await plainly(route!);
    if (await opens(answer)) found.push(name);
  }
  return found.sort();
}

test('Without a required second factor, the listed public routes return a key or a session', async () => {
  expect(await openersOf('free')).toEqual([
    'GET /web/openid/{provider}/callback',
    'GET /web/session',
    'POST /api/v1/dev_fetch_api_key',
    'POST /api/v1/fetch_api_key',
    'POST /api/v1/join',
    'POST /join/{invitation_token}',
    'POST /web/session',
    'POST /web/session (one click)',
  ]);
});

test('With a required second factor, no public route except OpenID Connect returns a working key or session', async () => {
  await demand(true);
  try {
    expect(await openersOf('strict')).toEqual([CALLBACK]);
  } finally {
    await demand(false);
  }
});

/** Routes that return a key, of callers who are already authenticated. */
const keyRoutes = () =>
  routes
    .filter(({ isOpen, operation }) => !isOpen && JSON.stringify(operation).includes('"api_key":{"type":"string"}'))
    .map(({ name }) => name)
    .sort();

test('With a required second factor, a new key needs it, and a session of a trusted provider replaces it', async () => {
  const by = await person('keys');
  const bot = { full_name: 'A bot', short_name: 'first' };
  const { user_id: botId } = (await by.post('/bots', bot)).body;
  const asked: Readonly<Record<string, { path: string; form: Record<string, string> }>> = {
    'POST /api/v1/bots': { path: '/api/v1/bots', form: { full_name: 'Another bot', short_name: 'second' } },
    'POST /api/v1/bots/{bot_id}/api_key/regenerate': { path: `/api/v1/bots/${botId}/api_key/regenerate`, form: {} },
    'POST /api/v1/users/me/api_key/regenerate': { path: `${ME}/api_key/regenerate`, form: {} },
  };
  expect(keyRoutes()).toEqual(Object.keys(asked));
  await demand(true);
  try {
    for (const { path, form } of Object.values(asked)) {
      expect(await by.post(path.replace('/api/v1', ''), form)).toMatchObject({
        status: 403,
        body: { code: 'TWO_FACTOR_SETUP_REQUIRED' },
      });
    }
    // The existing key keeps working.
    expect((await by.get('/users/me')).status).toBe(200);
    const entered = await ASKED[CALLBACK]!(by);
    const { body } = await node.call('/web/session', { headers: { Cookie: cookieOf(entered) } });
    const page = pageOf({ ...entered, body });
    for (const { path, form } of Object.values(asked)) {
      expect((await page.call(node, path, { form })).status).toBe(200);
    }
  } finally {
    await demand(false);
  }
});

test('A new user who must have a second factor signs in, sets one up, and then gets a key', async () => {
  await demand(true);
  try {
    const email = 'enrolled@example.net';
    const joined = await node.call('/api/v1/join', {
      form: { token: await invited(email), full_name: 'Somebody New', password: PASSWORD },
    });
    expect(joined.status).toBe(200);
    expect(joined.body).toEqual({ result: 'success', msg: '', user_id: expect.any(Number), email });
    const entered = await signIn(node, email, PASSWORD);
    expect(entered.body.two_factor).toEqual({ on: false, required: true });
    const page = pageOf(entered);
    expect((await page.call(node, ME)).status).toBe(403);
    const { secret } = (await page.call(node, '/web/two-factor', { method: 'POST' })).body;
    const json = { code: totpCode(secret, totpStep(Date.now())) };
    const { recovery_codes: codes } = (await page.call(node, '/web/two-factor/confirm', { json })).body;
    expect((await page.call(node, ME)).status).toBe(200);
    const form = { username: email, password: PASSWORD, code: codes[0] };
    expect((await node.call('/api/v1/fetch_api_key', { form })).status).toBe(200);
  } finally {
    await demand(false);
  }
});

test('A key alone neither sets a second factor up nor takes one from another, nor hands a bot to a person without one', async () => {
  const { id } = await person('without');
  const headers = await node.basic(admin.email);
  const missing = { status: 403, body: { code: 'TWO_FACTOR_SETUP_REQUIRED' } };
  const sessionOnly = { status: 403, body: { code: 'SESSION_REQUIRED' } };
  for (const path of ['/web/two-factor', '/web/two-factor/confirm']) {
    expect(await node.call(path, { json: { code: '000000' }, headers })).toMatchObject(sessionOnly);
  }
  const bot = (await admin.post('/bots', { full_name: 'Handed over', short_name: 'handed' })).body.user_id;
  await demand(true);
  try {
    const path = `/web/users/${id}/two-factor`;
    expect(await node.call(path, { method: 'DELETE', headers })).toMatchObject(missing);
    expect((await admin.patch(`/bots/${bot}`, { bot_owner_id: id })).body.msg).toBe(
      'Failed to change owner, user lacks the second factor that the organization requires',
    );
  } finally {
    await demand(false);
  }
  expect((await admin.patch(`/bots/${bot}`, { bot_owner_id: id })).status).toBe(200);
});

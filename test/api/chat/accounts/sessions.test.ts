import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { rawAnswer } from '../../../support/http/raw-answer';
import { pageOf, signedIn, signIn, type TestPage } from '../../../support/http/pages';

let cluster: Cluster;
let node: TestNode;
let other: TestNode;
const MEMBER = 'member@example.com';
const ME = '/api/v1/users/me';

beforeAll(async () => {
  cluster = await openCluster({ TRUSTED_PROXIES: '127.0.0.1', LOGIN_LIMIT: 'off', RATE_LIMIT: 'off' });
  await cluster.seed();
  [node, other] = await Promise.all([cluster.node(), cluster.node()]);
});
afterAll(() => cluster.close());

const ended = {
  status: 401,
  body: { result: 'error', msg: 'Your session has ended; sign in again', code: 'SESSION_ENDED' },
};
const MESSAGES = {
  TOKEN_REQUIRED: 'A request with a session cookie needs the X-Partyline-Token of the session',
  OTHER_ORIGIN: 'A session works only for pages of this server',
};

test('A page without a session gets the login methods and the demo accounts', async () => {
  const answer = await node.call('/web/session');
  expect(answer).toMatchObject({ status: 200, body: { signed_in: false, methods: { password: true } } });
  expect(answer.body.organisation).toEqual({ name: 'Example Organization', icon_url: expect.any(String) });
  expect(answer.body.has_portal).toBe(true);
  expect(answer.body.demo_accounts).toContainEqual({ email: MEMBER, full_name: 'Max Member' });
  expect(JSON.stringify(answer.body.demo_accounts)).not.toContain('bot@');
});

test('A password opens a session with an HttpOnly cookie, whose token is stored only as a hash', async () => {
  const answer = await signIn(node, MEMBER, 'demo', { headers: { 'User-Agent': 'Firefox' } });
  expect(answer).toMatchObject({ status: 200, body: { signed_in: true, email: MEMBER, full_name: 'Max Member' } });
  const [cookie, ...others] = answer.headers.getSetCookie().slice(0, 2);
  expect(cookie).toMatch(/^partyline_session=\w{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
  // Scripts of the page can read this cookie, which alone grants nothing.
  expect(others).toEqual([`partyline_token=${answer.body.token}; Path=/; Max-Age=2592000; SameSite=Strict`]);
  const page = pageOf(answer);
  expect(await page.call(other, ME)).toMatchObject({ status: 200, body: { email: MEMBER } });
  const again = await page.call(other, '/web/session');
  expect(again.body).toEqual(answer.body);
  expect(again.headers.getSetCookie().slice(0, 2)).toEqual([cookie, ...others]);
  const stored = JSON.stringify(await node.kernel.mysql('chat_sessions').select());
  expect(stored).not.toContain(page.cookie.split('=')[1]);
  expect(stored).not.toContain(page.token);
});

test('Behind a TLS proxy the session cookie is Secure and bound to the host, and a plain one is ignored', async () => {
  const tls = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.7' };
  const answer = await signIn(node, MEMBER, 'demo', { headers: tls });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-partyline_session=\w{43}; Path=\/; .*SameSite=Lax; Secure$/),
    expect.stringMatching(/^__Host-partyline_token=[^;]+; Path=\/; .*SameSite=Strict; Secure$/),
    expect.stringMatching(/^__Host-partyline_device=[^;]+; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/),
  ]);
  const page = pageOf(answer);
  expect(await page.call(node, ME, { headers: tls })).toMatchObject({ status: 200 });
  const plain = { ...tls, Cookie: page.cookie.replace('__Host-', '') };
  expect(await page.call(node, ME, { headers: plain })).toMatchObject(ended);
});

test.each([
  ['a wrong password', { email: MEMBER, password: 'wrong' }, 401, 'BAD_CREDENTIALS'],
  ['an unknown account', { email: 'nobody@example.com', password: 'demo' }, 401, 'BAD_CREDENTIALS'],
  ['a bot', { email: 'helper-bot@example.com', password: 'demo' }, 401, 'BAD_CREDENTIALS'],
  ['an overlong address', { email: 'x'.repeat(9000), password: 'demo' }, 401, 'BAD_CREDENTIALS'],
  ['no password', { email: MEMBER }, 400, 'REQUEST_VARIABLE_MISSING'],
  ['an empty body', {}, 400, 'REQUEST_VARIABLE_MISSING'],
  ['a bot as a demo account', { demo: 'helper-bot@example.com' }, 401, 'BAD_CREDENTIALS'],
])('Signing in with %s is refused without a Basic challenge', async (_, json, status, code) => {
  const answer = await node.call('/web/session', { json });
  expect(answer).toMatchObject({ status, body: { code } });
  expect(answer.headers.get('www-authenticate')).toBeNull();
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test('Demo accounts sign in with one click in development, and are hidden and refused in production', async () => {
  expect(await node.call('/web/session', { json: { demo: MEMBER } })).toMatchObject({
    status: 200,
    body: { signed_in: true, email: MEMBER },
  });
  const secrets = { SECRET_KEY: 'a-secret-of-more-than-thirty-two-characters', PUBLIC_URL: 'https://chat.example.com' };
  const production = await cluster.node({ NODE_ENV: 'production', AUTH_METHODS: 'email,password', ...secrets });
  const { body } = await production.call('/web/session');
  expect(body).not.toHaveProperty('demo_accounts');
  expect(await production.call('/web/session', { json: { demo: MEMBER } })).toMatchObject({ status: 400 });
});

describe('Requests with the session cookie', () => {
  let page: TestPage;
  beforeAll(async () => {
    page = await signedIn(node, MEMBER);
  });

  test('The cookie with the token does not stand in for the header', async () => {
    const headers = { Cookie: `${page.cookie}; partyline_token=${page.token}`, 'X-Partyline-Token': '' };
    expect(await page.call(node, ME, { headers })).toMatchObject({ status: 403, body: { code: 'TOKEN_REQUIRED' } });
  });

  test.each([
    ['no token', { 'X-Partyline-Token': '' }, 'TOKEN_REQUIRED'],
    ['a wrong token', { 'X-Partyline-Token': 'x'.repeat(64) }, 'TOKEN_REQUIRED'],
    ['a cross-site fetch', { 'Sec-Fetch-Site': 'cross-site' }, 'OTHER_ORIGIN'],
    ['a fetch from a sibling domain', { 'Sec-Fetch-Site': 'same-site' }, 'OTHER_ORIGIN'],
    ['the origin of another host', { Origin: 'https://evil.example' }, 'OTHER_ORIGIN'],
    ['the origin of a sandbox', { Origin: 'null' }, 'OTHER_ORIGIN'],
  ] as const)('A request with the session cookie and %s is refused', async (_, headers, code) => {
    const refused = { status: 403, body: { code, msg: MESSAGES[code] } };
    expect(await page.call(node, ME, { headers })).toMatchObject(refused);
    expect(await page.call(node, '/api/v1/mark_all_as_read', { method: 'POST', headers })).toMatchObject(refused);
  });

  test('A same-origin request with the session cookie can send messages and poll its queue', async () => {
    const own = { 'Sec-Fetch-Site': 'same-origin', Origin: node.url };
    const { body: queue } = await page.call(node, '/api/v1/register', { method: 'POST', headers: own });
    const message = { type: 'stream', to: 'general', topic: 'cookies', content: 'sent by a page' };
    const sent = await page.call(node, '/api/v1/messages', { form: message, headers: own });
    expect(sent.status).toBe(200);
    const query = { queue_id: queue.queue_id, last_event_id: '-1' };
    const { body } = await page.call(node, '/api/v1/events', { query, headers: own });
    expect(body.events[0].message.id).toBe(sent.body.id);
  });

  test('A link on another site opens nothing of the API with the session cookie', async () => {
    const headers = { 'X-Partyline-Token': page.token, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    expect((await rawAnswer(`${node.url}${ME}`, { Cookie: page.cookie, ...headers })).status).toBe(403);
  });

  test('The session cookie alone serves files and avatars, even through a link in a mail', async () => {
    const form = new FormData();
    form.append('file', new Blob(['plans']), 'plans.txt');
    const { body } = await page.call(node, '/api/v1/user_uploads', { method: 'POST', raw: form });
    const { cookie: Cookie } = page;
    expect((await node.call(body.uri, { headers: { Cookie } })).text).toBe('plans');
    const link = { Cookie, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    // fetch would set its own mode.
    expect(String((await rawAnswer(`${node.url}${body.uri}`, link)).bytes)).toBe('plans');
    expect((await node.call('/avatar/1', { headers: { Cookie } })).status).toBe(302);
    const elsewhere = { Cookie, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' };
    expect((await node.call(body.uri, { headers: elsewhere })).status).toBe(403);
    expect((await node.call(body.uri)).headers.get('www-authenticate')).toMatch(/^Basic/);
    const image = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors' };
    expect((await node.call(body.uri, { headers: image })).headers.get('www-authenticate')).toBeNull();
  });

  test('A request with both the session cookie and a key acts for the owner of the key', async () => {
    const headers = { ...(await node.basic('owner@example.com')), 'X-Partyline-Token': 'wrong' };
    expect((await page.call(node, ME, { headers })).body.email).toBe('owner@example.com');
    const wrong = { Authorization: 'Basic eDp4' };
    const refused = await page.call(node, ME, { headers: wrong });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBeNull();
  });
});

test('Password attempts on the web page share the login rate limit of other clients', async () => {
  const limited = await cluster.node({ LOGIN_LIMIT: '60:3' });
  for (const status of [401, 401, 401, 429]) expect((await signIn(limited, MEMBER, 'wrong')).status).toBe(status);
  const key = await limited.call('/api/v1/fetch_api_key', { form: { username: MEMBER, password: 'demo' } });
  expect(key.status).toBe(429);
});

// Signing in to today's mobile app by a browser (`mobile_flow_otp`), at a real OpenID provider.
import { hash, randomBytes } from 'node:crypto';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { basicHeader } from '../../../support/http/client';
import { cookieOf } from '../../../support/http/pages';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { startProvider, type TestProvider } from '../../../support/servers/openid';

let cluster: Cluster;
let node: TestNode;
let admin: TestUser;
let provider: TestProvider;

const REALM = 'https://chat.example.com';

beforeAll(async () => {
  cluster = await openCluster({
    PUBLIC_URL: REALM,
    CHAT_FEATURE_LEVEL: 'on',
    LOGIN_LIMIT: 'off',
    RATE_LIMIT: 'off',
    OPENID_CALL_MS: '20000',
    OUTBOUND_NETWORKS: '127.0.0.0/8',
    OUTBOUND_HOSTS: 'localhost=127.0.0.1',
  });
  await cluster.seed();
  [node, provider] = await Promise.all([cluster.node(), startProvider()]);
  admin = await userOf(node, 'owner');
  const json = { display_name: 'Company login', issuer: provider.issuer, client_id: 'partyline', domains: [] };
  const headers = await node.basic(admin.email);
  const secret = { client_secret: 'a secret of the client' };
  await node.call('/web/openid-providers/idp', { method: 'PUT', json: { ...json, ...secret }, headers });
});
afterAll(() => Promise.all([cluster.close(), provider.close()]));

const max = { sub: 'max', email: 'member@example.com', email_verified: true };
const newPad = () => randomBytes(32).toString('hex');
type Ends = Parameters<TestProvider['signIn']>[2];
const signIn = (pad: string, ends?: Ends) => provider.signIn(node, max, ends, `?mobile_flow_otp=${pad}`);

/** What the app does with the address: it wants all four, of its own organisation. */
function read(location: string, pad: string) {
  const { protocol, host, searchParams } = new URL(location);
  expect([protocol, host]).toEqual(['zulip:', 'login']);
  const sealed = searchParams.get('otp_encrypted_api_key')!;
  expect(sealed).toMatch(/^[0-9a-f]{64}$/);
  const secret = Buffer.from(pad, 'hex');
  const key = Buffer.from(Buffer.from(sealed, 'hex').map((byte, at) => byte ^ secret[at]!)).toString('latin1');
  expect(new URL(searchParams.get('realm')!).origin).toBe(REALM);
  expect(searchParams.get('user_id')).toMatch(/^\d+$/);
  return { key, email: searchParams.get('email')!, userId: Number(searchParams.get('user_id')) };
}

test('The app finds the provider in the server settings, at an address to which it adds its one-time pad', async () => {
  const { body } = await node.call('/api/v1/server_settings');
  const login_url = '/web/openid/idp';
  expect(body.external_authentication_methods).toEqual([
    { name: 'oidc:idp', display_name: 'Company login', display_icon: null, login_url, signup_url: login_url },
  ]);
  expect(body.authentication_methods).toMatchObject({ 'openid connect': true });
  const old = await cluster.node({ CHAT_FEATURE_LEVEL: 'off' });
  const { body: older } = await old.call('/api/v1/server_settings');
  expect(older.external_authentication_methods).toEqual([]);
  expect(older.authentication_methods).not.toHaveProperty('openid connect');
});

test('The browser ends at the app with a key that only the app can read, and gets no session', async () => {
  for (const pad of [newPad(), newPad().toUpperCase()]) {
    const { status, headers } = await signIn(pad);
    expect([status, headers.get('cache-control')]).toEqual([302, 'no-store']);
    const found = read(headers.get('location')!, pad);
    expect(found.email).toBe('member@example.com');
    const { body } = await node.call('/api/v1/users/me', { headers: basicHeader(found.email, found.key) });
    expect(body).toMatchObject({ user_id: found.userId, email: 'member@example.com' });
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^partyline_openid=; .*Max-Age=0/)]);
  }
});

test('The pad is neither sent to the provider nor readable in the cookie, and ends with another sign-in', async () => {
  const pad = newPad();
  const begun = await node.call(`/web/openid/idp?mobile_flow_otp=${pad}`);
  expect(begun.headers.get('location')).not.toContain(pad);
  expect(cookieOf(begun)).not.toContain(pad);
  expect(Buffer.from(cookieOf(begun).split('=')[1]!, 'base64').toString('latin1')).not.toContain(pad);
  const plain = await provider.signIn(node, max);
  expect(plain.headers.get('location')).toBe('/');
});

test.each([
  ['', 'nothing'],
  ['ab', 'too few'],
  ['g'.repeat(64), 'other letters'],
  [`${'a'.repeat(64)}0`, 'too many'],
  [`${'a'.repeat(63)}%0a`, 'a line end'],
])('A pad of %j (%s) is refused before anybody signs in', async (pad) => {
  const { status, headers, body } = await node.call(`/web/openid/idp?mobile_flow_otp=${pad}`);
  expect([status, headers.get('location')]).toEqual([400, null]);
  expect(body.msg).toBe('Invalid OTP');
});

test('Who lacks the second factor that the organisation requires gets no key this way either', async () => {
  const headers = await node.basic(admin.email);
  await node.call('/web/sign-in-rules', { method: 'PATCH', json: { two_factor_required: true }, headers });
  const answer = await signIn(newPad());
  expect(answer.headers.get('location')).toBe('/?sign_in_error=TWO_FACTOR_SETUP_REQUIRED');
  await node.kernel.mysql('chat_sign_in_rules').delete();
});

test('A forged state leads to no app', async () => {
  const foreign = `partyline_openid=${hash('sha256', 'x')}`;
  const answer = await signIn(newPad(), (callback) => ({ ...callback, cookie: foreign }));
  expect(answer.headers.get('location')).toBe('/?sign_in_error=OPENID_LATE');
});

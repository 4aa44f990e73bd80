import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { startProvider, type TestProvider } from '../../../support/servers/openid';
import { cookieOf } from '../../../support/http/pages';

let cluster: Cluster;
let node: TestNode;
let admin: TestUser;
let provider: TestProvider;
let silent: Server;

const SETTINGS = {
  display_name: 'Company login',
  client_id: 'partyline',
  client_secret: 'a secret of the client',
  domains: ['example.com', 'Example.org'],
  creates_accounts: true,
};

beforeAll(async () => {
  cluster = await openCluster({
    PUBLIC_URL: 'https://chat.example.com',
    LOGIN_LIMIT: 'off',
    RATE_LIMIT: 'off',
    OPENID_CALL_MS: '20000',
    OUTBOUND_NETWORKS: '127.0.0.0/8',
    OUTBOUND_HOSTS: 'localhost=127.0.0.1',
  });
  await cluster.seed();
  [node, provider] = await Promise.all([cluster.node(), startProvider()]);
  admin = await userOf(node, 'owner');
  silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await Promise.all([cluster.close(), provider.close()]);
});

async function set(name: string, more: object = {}) {
  const headers = await node.basic(admin.email);
  const json = { ...SETTINGS, issuer: provider.issuer, ...more };
  return node.call(`/web/openid-providers/${name}`, { method: 'PUT', json, headers });
}

const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' };
const signIn = (...args: Parameters<TestProvider['signIn']> extends [unknown, ...infer More] ? More : never) =>
  provider.signIn(node, ...args);
const failed = (code: string) => ({ status: 302, location: `/?sign_in_error=${code}`, cookie: '' });
const outcomeOf = (answer: Awaited<ReturnType<typeof signIn>>) => ({
  status: answer.status,
  location: answer.headers.get('location'),
  cookie: cookieOf(answer),
});
const whoIs = async (answer: Awaited<ReturnType<typeof signIn>>) =>
  (await node.call('/web/session', { headers: { Cookie: cookieOf(answer) } })).body;

test('A provider that an administrator configures is offered for sign-in, and its secret is never shown', async () => {
  expect((await node.call('/web/session')).body.methods.openid).toEqual([]);
  expect((await set('idp')).status).toBe(200);
  expect((await node.call('/web/session')).body.methods.openid).toEqual([
    { name: 'Company login', url: '/web/openid/idp' },
  ]);
  const headers = await node.basic(admin.email);
  const { body, text } = await node.call('/web/openid-providers', { headers });
  const { client_secret: secret, ...shown } = SETTINGS;
  const domains = ['example.com', 'example.org'];
  expect(body.providers).toEqual([{ name: 'idp', ...shown, domains, issuer: provider.issuer }]);
  expect(text).not.toContain(secret);
  expect(JSON.stringify(await node.kernel.mysql('chat_openid_providers').select())).not.toContain(secret);
  // The stored secret is kept.
  expect((await set('idp', { client_secret: '' })).status).toBe(200);
  // The stored secret is not sent to another issuer.
  const elsewhere = await set('idp', { client_secret: '', issuer: 'https://evil.example' });
  expect(elsewhere).toMatchObject({ status: 400, body: { code: 'BAD_PROVIDER' } });
});

test.each([
  ['a name with a slash', 'a%2Fb', {}],
  ['an issuer without TLS', 'other', { issuer: 'http://idp.example.com' }],
  ['an issuer that is no URL', 'other', { issuer: 'idp' }],
  ['an issuer with a password', 'other', { issuer: 'https://a:b@idp.example.com' }],
  ['automatic accounts for every domain', 'other', { domains: [] }],
  ['a malformed domain', 'other', { domains: ['*'] }],
  ['no secret', 'other', { client_secret: '' }],
  ['too many domains', 'other', { domains: Array.from({ length: 51 }, (_, at) => `d${at}.example`) }],
])('A provider with %s is refused', async (_, name, more) => {
  expect(await set(name, more)).toMatchObject({ status: 400, body: { code: 'BAD_PROVIDER' } });
});

test('The first sign-in at the provider creates an account, and later ones return to it', async () => {
  const first = await signIn(ada);
  expect(outcomeOf(first)).toMatchObject({ status: 302, location: '/' });
  const who = await whoIs(first);
  expect(who).toMatchObject({ signed_in: true, email: 'ada@example.com', full_name: 'Ada Lovelace' });
  const page = { Cookie: cookieOf(first), 'X-Partyline-Token': who.token };
  const { body } = await node.call('/api/v1/users/me/subscriptions', { headers: page });
  expect(body.subscriptions.map(({ name }: { name: string }) => name)).toContain('general');
  // Another address and name at the provider are still the same user here.
  const again = await signIn({ ...ada, email: 'countess@example.org', name: 'Somebody Else' });
  expect(await whoIs(again)).toMatchObject({ user_id: who.user_id, email: 'ada@example.com' });
  // Another subject with the same address gets the same account, because the provider has verified the address.
  expect(await whoIs(await signIn({ ...ada, sub: 'ada-2' }))).toMatchObject({ user_id: who.user_id });
});

test('A sign-in at the provider finds an account by its address and needs no second factor', async () => {
  const headers = await node.basic(admin.email);
  await node.call('/web/sign-in-rules', { method: 'PATCH', json: { two_factor_required: true }, headers });
  const answer = await signIn({ sub: 'max', email: 'MEMBER@example.com', email_verified: true });
  const { token, email } = await whoIs(answer);
  expect(email).toBe('member@example.com');
  const page = { Cookie: cookieOf(answer), 'X-Partyline-Token': token };
  expect((await node.call('/api/v1/users/me', { headers: page })).status).toBe(200);
  await node.kernel.mysql('chat_sign_in_rules').delete();
});

test.each([
  ['an address that is not verified', { ...ada, sub: 'x', email_verified: false }, 'EMAIL_NOT_VERIFIED'],
  ['no address', { sub: 'y' }, 'EMAIL_NOT_VERIFIED'],
  ['a malformed address', { ...ada, sub: 'z', email: 'example.com' }, 'EMAIL_NOT_VERIFIED'],
  ['an address of another domain', { ...ada, email: 'ada@evil.example' }, 'DOMAIN_NOT_ALLOWED'],
  ['the domain before the at sign', { ...ada, email: 'example.com@evil.example' }, 'DOMAIN_NOT_ALLOWED'],
  ['the address of a bot', { ...ada, sub: 'bot', email: 'helper-bot@example.com' }, 'NO_ACCOUNT'],
])('A sign-in with %s is sent back without a session', async (_, as, code) => {
  expect(outcomeOf(await signIn(as))).toEqual(failed(code));
});

test.each(['ⓞwner@example.com', 'ｏwner@example.com', 'owner\u200b@example.com', 'owner@ｅxample.com'])(
  'A verified address that only looks like an account’s does not open the account: %j',
  async (email) => {
    const answer = await signIn({ sub: `disguised ${email}`, email, email_verified: true, name: 'Mallory' });
    expect(outcomeOf(answer)).toEqual(failed(email.includes('ｅ') ? 'DOMAIN_NOT_ALLOWED' : 'NO_ACCOUNT'));
  },
);

test('An address that differs from an account’s in a capital letter outside ASCII gets neither it nor a second one', async () => {
  const user = await newUser(node, 'jürgen');
  const jürgen = { sub: 'jürgen', email: user.email, email_verified: true };
  expect(outcomeOf(await signIn({ ...jürgen, email: 'JÜRGEN@example.com' }))).toEqual(failed('NO_ACCOUNT'));
  expect(await whoIs(await signIn(jürgen))).toMatchObject({ user_id: user.id });
  // Once the provider's subject is known, the address no longer matters.
  expect(await whoIs(await signIn({ ...jürgen, email: 'ⓞwner@example.com' }))).toMatchObject({ user_id: user.id });
});

test('An account with a disguised address of earlier releases is opened by that address', async () => {
  const user = await newUser(node, 'kim');
  await node.kernel.mysql('chat_users').where({ id: user.id }).update({ email: 'ｋim@example.com' });
  const kim = { email: 'ｋim@example.com', email_verified: true };
  expect(outcomeOf(await signIn({ ...kim, sub: 'kim 1', email: 'kim@example.com' }))).toEqual(failed('NO_ACCOUNT'));
  expect(await whoIs(await signIn({ ...kim, sub: 'kim 2' }))).toMatchObject({ user_id: user.id });
});

test.each([
  ['no name', 'no.name@example.com', undefined, 'no.name'],
  ['an empty name', 'empty@example.com', '', 'empty'],
  ['a name of spaces', 'spaces@example.com', '   ', 'spaces'],
  ['a short name', 'short@example.com', 'X', 'short'],
  ['a long name', 'long@example.com', 'L'.repeat(101), 'long'],
  ['a name with refused characters', 'refused@example.com', 'The "boss" <boss@example.com>', 'refused'],
  ['an address with refused characters', 'b*o`ss@example.com', '', 'boss'],
  ['an address of one letter', 'q@example.com', '', 'q example.com'],
])('A first sign-in with %s makes an account with a name from the address', async (_, email, name, fullName) => {
  const answer = await signIn({ sub: email, email, email_verified: true, ...(name === undefined ? {} : { name }) });
  expect(await whoIs(answer)).toMatchObject({ signed_in: true, email, full_name: fullName });
});

test('An ID token that is signed with another key than the provider’s is refused', async () => {
  expect(outcomeOf(await signIn({ ...ada, isForged: true }))).toEqual(failed('OPENID_FAILED'));
  expect(outcomeOf(await signIn(ada))).toMatchObject({ location: '/' });
});

test('Deactivated users, and strangers where accounts are not created, are sent back', async () => {
  const user = await newUser(node, 'gone');
  await admin.del(`/users/${user.id}`);
  expect(outcomeOf(await signIn({ ...ada, sub: 'gone', email: user.email }))).toEqual(failed('ACCOUNT_DEACTIVATED'));
  await set('idp', { creates_accounts: false });
  expect(outcomeOf(await signIn({ ...ada, sub: 'new', email: 'new@example.com' }))).toEqual(failed('NO_ACCOUNT'));
  expect(outcomeOf(await signIn(ada))).toMatchObject({ location: '/' });
  await set('idp');
});

test("A provider's callback is accepted once, in the same browser and unmodified", async () => {
  const without = (name: string, value?: string) => (callback: { url: URL; cookie: string }) => {
    const url = new URL(callback.url);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return { ...callback, url };
  };
  expect(outcomeOf(await signIn(ada, without('state')))).toEqual(failed('OPENID_FAILED'));
  expect(outcomeOf(await signIn(ada, without('state', 'another')))).toEqual(failed('OPENID_FAILED'));
  expect(outcomeOf(await signIn(ada, without('code', 'another')))).toEqual(failed('OPENID_FAILED'));
  expect(outcomeOf(await signIn(ada, (callback) => ({ ...callback, cookie: '' })))).toEqual(failed('OPENID_LATE'));
  const foreign = 'partyline_openid=YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo=';
  expect(outcomeOf(await signIn(ada, (callback) => ({ ...callback, cookie: foreign })))).toEqual(failed('OPENID_LATE'));
  let used = { url: new URL('https://chat.example.com/'), cookie: '' };
  await signIn(ada, (callback) => (used = { ...callback }));
  expect(outcomeOf(await signIn(ada, () => used))).toEqual(failed('OPENID_FAILED'));
});

test('A sign-in at a provider that does not answer or does not exist fails with an error', async () => {
  const quick = await cluster.node({ OPENID_CALL_MS: '300' });
  const { port } = silent.address() as AddressInfo;
  await set('silent', { issuer: `http://127.0.0.1:${port}` });
  const answer = await quick.call('/web/openid/silent');
  expect(outcomeOf(answer)).toEqual(failed('OPENID_FAILED'));
  expect(outcomeOf(await node.call('/web/openid/nothing'))).toEqual(failed('NO_SUCH_PROVIDER'));
  const headers = await node.basic(admin.email);
  const remove = () => node.call('/web/openid-providers/silent', { method: 'DELETE', headers });
  expect((await remove()).status).toBe(200);
  expect((await remove()).status).toBe(404);
  expect(outcomeOf(await node.call('/web/openid/silent'))).toEqual(failed('NO_SUCH_PROVIDER'));
});

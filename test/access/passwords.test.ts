import { randomBytes, scryptSync } from 'node:crypto';
import { callerOf, type Caller } from '../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';

const STRONG = 'plain words of nobody';
let cluster: Cluster;
let node: TestNode;
let owner: Caller;

beforeAll(async () => {
  const limits = { RATE_LIMIT: 'off', LOGIN_LIMIT: 'off', PASSWORD_ROUNDS: '5' };
  cluster = await openCluster({ ...limits, SECRET_KEY: randomBytes(32).toString('hex') });
  await cluster.seed();
  node = await cluster.node();
  owner = await callerOf(node, 'owner@example.com');
});
afterAll(() => cluster.close());

const login = (username: string, password: string, at: TestNode = node) =>
  at.call('/api/v1/fetch_api_key', { form: { username, password } });
const tooWeak = { status: 400, body: { result: 'error', msg: 'New password is too weak!' } };
const add = (email: string, password: string) =>
  owner.post('/users', { email, password, full_name: 'Wilhelmina Weak', short_name: 'w' });

describe('Passwords of new accounts', () => {
  test.each([
    ['three letters', 'abc'],
    ['the demo password', 'demo'],
    ['a common password', 'password1'],
    ['letters beside each other', 'asdfghjkl'],
    ['one letter forty times', 'a'.repeat(40)],
    ['their own name', 'wilhelmina'],
    ['their own address', 'weak.person@example.com'],
  ])('A new account with %s as its password is refused', async (_, password) => {
    expect(await add('weak.person@example.com', password)).toMatchObject(tooWeak);
  });

  test('A new account with a strong password is created and can log in', async () => {
    expect((await add('strong@example.com', STRONG)).status).toBe(200);
    expect((await login('strong@example.com', STRONG)).status).toBe(200);
  });

  test('A new account with a password of more than a thousand characters is refused', async () => {
    const { status, body } = await add('long@example.com', `${STRONG} `.repeat(60));
    expect([status, body.msg]).toEqual([400, 'New password is longer than 1000 characters!']);
  });
});

test('A user who changes the password cannot choose a weak one', async () => {
  const other = await callerOf(node, 'other@example.com');
  const change = (password: string) => other.patch('/settings', { old_password: 'demo', new_password: password });
  expect(await change('abc')).toMatchObject(tooWeak);
  expect(await change('other@example.com')).toMatchObject(tooWeak);
  expect((await login('other@example.com', 'demo')).status).toBe(200);
  expect((await change(STRONG)).status).toBe(200);
  expect((await login('other@example.com', STRONG)).status).toBe(200);
});

test('The minimum strength of passwords can be configured', async () => {
  const lax = await cluster.node({ PASSWORD_MIN_LENGTH: '3', PASSWORD_MIN_GUESSES: '1' });
  const laxOwner = await callerOf(lax, 'owner@example.com');
  const form = { email: 'lax@example.com', password: 'abc', full_name: 'Lax Person' };
  expect((await laxOwner.post('/users', form)).status).toBe(200);
});

test('Production refuses the demo password, even of an account that has it', async () => {
  const production = await cluster.node({ NODE_ENV: 'production' });
  expect(await login('member@example.com', 'demo', production)).toMatchObject({
    status: 403,
    body: { reason: 'incorrect_creds' },
  });
  expect((await login('member@example.com', 'demo')).status).toBe(200);
});

test('A login replaces a hash of an earlier release by one of the present cost', async () => {
  const salt = randomBytes(16);
  const key = scryptSync('demo', salt, 32, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  const stored = `scrypt$${salt.toString('base64')}$${key.toString('base64')}`;
  const account = () => node.kernel.mysql('chat_users').where({ email: 'guest@example.com' });
  await account().update({ password_hash: stored });
  expect((await login('guest@example.com', 'wrong')).status).toBe(403);
  expect(await account().first('password_hash')).toEqual({ password_hash: stored });
  expect((await login('guest@example.com', 'demo')).status).toBe(200);
  const { password_hash: renewed } = (await account().first('password_hash')) as { password_hash: string };
  expect(renewed).toMatch(/^scrypt\$16384\$8\$5\$/);
  expect((await login('guest@example.com', 'demo')).status).toBe(200);
});

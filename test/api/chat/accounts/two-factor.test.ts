import { totpCode, totpStep } from '../../../../src/kernel/passwords/totp';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { pageOf, signedIn, type TestPage } from '../../../support/http/pages';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let other: TestNode;
let admin: TestUser;
const ME = '/api/v1/users/me';

beforeAll(async () => {
  cluster = await openCluster({ LOGIN_LIMIT: '60:1000', RATE_LIMIT: 'off' });
  await cluster.seed();
  [node, other] = await Promise.all([cluster.node(), cluster.node()]);
  admin = await userOf(node, 'owner');
});
afterAll(() => cluster.close());

/** Creates a user whose password is "demo". */
async function person(name: string): Promise<TestUser> {
  const user = await newUser(node, name);
  const { mysql } = node.kernel;
  const { password_hash } = await mysql('chat_users').where({ email: 'member@example.com' }).first('password_hash');
  await mysql('chat_users').where({ id: user.id }).update({ password_hash });
  return user;
}

const codeNow = (secret: string, around = 0) => totpCode(secret, totpStep(Date.now()) + around);
/** The same code may be used again. */
const forgetUse = () => node.kernel.mysql('chat_two_factor').update({ last_step: 0 });
const signIn = (email: string, more: object = {}) =>
  node.call('/web/session', { json: { email, password: 'demo', ...more } });

async function setUp(page: TestPage): Promise<{ secret: string; codes: string[] }> {
  const { body } = await page.call(node, '/web/two-factor', { method: 'POST' });
  const confirmed = await page.call(node, '/web/two-factor/confirm', { json: { code: codeNow(body.secret) } });
  expect(confirmed.status).toBe(200);
  await forgetUse();
  return { secret: body.secret, codes: confirmed.body.recovery_codes };
}

test('A second factor is set up with a code of its secret, and its secret is stored unreadably', async () => {
  const { email } = await person('setter');
  const page = await signedIn(node, email);
  const begun = await page.call(node, '/web/two-factor', { method: 'POST' });
  expect(begun.body.uri).toBe(
    `otpauth://totp/Example%20Organization:setter%40example.com?secret=${begun.body.secret}` +
      '&issuer=Example%20Organization&algorithm=SHA1&digits=6&period=30',
  );
  const confirm = (code: string) => page.call(node, '/web/two-factor/confirm', { json: { code } });
  expect(await confirm(codeNow(begun.body.secret, 9))).toMatchObject({ status: 400, body: { code: 'BAD_CODE' } });
  // It is not turned on yet.
  expect((await signIn(email)).body.two_factor).toEqual({ on: false, required: false });
  const { status, body } = await confirm(codeNow(begun.body.secret));
  expect(status).toBe(200);
  expect(new Set(body.recovery_codes).size).toBe(10);
  for (const code of body.recovery_codes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  expect(await confirm(codeNow(begun.body.secret))).toMatchObject({ status: 400, body: { code: 'TWO_FACTOR_ON' } });
  expect((await page.call(node, '/web/two-factor', { method: 'POST' })).body.code).toBe('TWO_FACTOR_ON');
  const { mysql } = node.kernel;
  const stored = JSON.stringify([await mysql('chat_two_factor').select(), await mysql('chat_recovery_codes').select()]);
  expect(stored).not.toContain(begun.body.secret);
  expect(stored).not.toContain(body.recovery_codes[0].replace('-', ''));
});

test('A user with a second factor signs in with a code, and each code works once', async () => {
  const { email } = await person('user');
  const { secret, codes } = await setUp(await signedIn(node, email));
  expect(await signIn(email)).toMatchObject({ status: 401, body: { code: 'CODE_REQUIRED' } });
  expect((await signIn(email, { password: 'wrong', code: codeNow(secret) })).body.code).toBe('BAD_CREDENTIALS');
  const code = codeNow(secret);
  expect((await signIn(email, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })).body.two_factor.on).toBe(true);
  expect(await signIn(email, { code })).toMatchObject({ status: 401, body: { code: 'BAD_CODE' } });
  expect((await signIn(email, { code: codeNow(secret, -1) })).body.code).toBe('BAD_CODE');
  expect((await signIn(email, { code: codes[3]!.toUpperCase() })).status).toBe(200);
  expect((await signIn(email, { code: codes[3] })).body.code).toBe('BAD_CODE');
});

test('A password alone returns no key to a user with a second factor', async () => {
  const { email } = await person('keyless');
  const { secret } = await setUp(await signedIn(node, email));
  const fetchKey = (more: Record<string, string>) =>
    node.call('/api/v1/fetch_api_key', { form: { username: email, password: 'demo', ...more } });
  const wanted = { code: 'CODE_REQUIRED', msg: 'Type the code of your authenticator, or a recovery code' };
  expect(await fetchKey({})).toMatchObject({ status: 401, body: wanted });
  const wrong = { code: 'BAD_CODE', msg: 'The code is wrong, too old, or was used before' };
  expect(await fetchKey({ code: '000000' })).toMatchObject({ status: 401, body: wrong });
  expect(await fetchKey({ code: codeNow(secret) })).toMatchObject({ status: 200, body: { email } });
});

test('Codes can be tried ten times in fifteen minutes, and only with the password', async () => {
  const { email } = await person('guessed');
  const page = await signedIn(node, email);
  // Setting it up used the first attempt.
  const { secret, codes } = await setUp(page);
  for (let tries = 2; tries < 10; tries += 1) {
    const guess = await page.call(node, '/web/two-factor', { method: 'DELETE', json: { code: '000000' } });
    expect(guess.body.code).toBe('BAD_CREDENTIALS');
  }
  expect((await signIn(email, { password: 'wrong', code: '000000' })).body.code).toBe('BAD_CREDENTIALS');
  expect((await signIn(email, { code: codeNow(secret) })).status).toBe(200);
  expect((await signIn(email, { code: codes[0] })).status).toBe(429);
});

test('A second factor is turned off by the password, by a code or by an administrator', async () => {
  const { email, id } = await person('leaving');
  const page = await signedIn(node, email);
  const turnOff = (json: object) => page.call(node, '/web/two-factor', { method: 'DELETE', json });
  await setUp(page);
  for (const proof of [{ password: 'wrong' }, { code: '000000' }, {}])
    expect(await turnOff(proof)).toMatchObject({ status: 400, body: { code: 'BAD_CREDENTIALS' } });
  expect((await turnOff({ password: 'demo' })).status).toBe(200);
  const { secret } = await setUp(page);
  expect((await turnOff({ code: codeNow(secret) })).status).toBe(200);
  await setUp(page);
  const headers = await node.basic(admin.email);
  const path = `/web/users/${id}/two-factor`;
  expect((await page.call(node, path, { method: 'DELETE' })).status).toBe(400);
  expect((await node.call(path, { method: 'DELETE', headers })).status).toBe(200);
  expect((await signIn(email)).body.two_factor.on).toBe(false);
  // Only owners manage owners.
  const { email: plain, id: plainId } = await person('plain-admin');
  const patch = (role: number) => node.call(`/api/v1/users/${plainId}`, { method: 'PATCH', json: { role }, headers });
  expect((await patch(200)).status).toBe(200);
  const asPlain = { headers: await node.basic(plain) };
  const { user_id: ownerId } = (await node.call(ME, { headers })).body;
  expect(await node.call(`/web/users/${ownerId}/two-factor`, { method: 'DELETE', ...asPlain })).toMatchObject({
    status: 400,
    body: { msg: 'Must be an organization owner' },
  });
});

test('Where a second factor is required, a session without one can only set it up, on every node', async () => {
  const { email } = await person('late');
  const page = await signedIn(node, email);
  const { body: queue } = await page.call(other, '/api/v1/register', { method: 'POST' });
  const poll = () =>
    page.call(other, '/api/v1/events', {
      query: { queue_id: queue.queue_id, last_event_id: '-1', dont_block: 'true' },
    });
  expect((await poll()).status).toBe(200);
  const headers = await node.basic(admin.email);
  const require = (two_factor_required: boolean) =>
    node.call('/web/sign-in-rules', { method: 'PATCH', json: { two_factor_required }, headers });
  expect((await page.call(node, '/web/sign-in-rules')).status).toBe(400);
  expect((await require(true)).status).toBe(200);
  expect((await node.call('/web/sign-in-rules', { headers })).body.two_factor_required).toBe(true);

  const msg = 'Your organization asks for a second factor; set one up first';
  const missing = { status: 403, body: { code: 'TWO_FACTOR_SETUP_REQUIRED', msg } };
  // The other node learns it from the log.
  const refusedBy = (at: TestNode) =>
    until(
      () => page.call(at, ME),
      ({ status }) => at === node || status !== 200,
    );
  for (const at of [node, other]) expect(await refusedBy(at)).toMatchObject(missing);
  await until(async () => (await poll()).status === 403);
  const { body } = await page.call(other, '/web/session');
  expect(body).toMatchObject({ signed_in: true, two_factor: { on: false, required: true } });
  const key = { username: email, password: 'demo' };
  expect(await node.call('/api/v1/fetch_api_key', { form: key })).toMatchObject(missing);
  // A new session may do no more, and an existing key still works.
  expect(await pageOf(await signIn(email)).call(node, ME)).toMatchObject(missing);
  expect((await node.call(ME, { headers })).status).toBe(200);

  const { codes } = await setUp(page);
  for (const at of [node, other]) expect((await page.call(at, ME)).status).toBe(200);
  expect((await poll()).status).toBe(200);
  await page.call(node, '/web/two-factor', { method: 'DELETE', json: { code: codes[0] } });
  expect(await refusedBy(other)).toMatchObject(missing);
  // Whoever has only a key and no second factor cannot lift the rule.
  expect(await require(false)).toMatchObject(missing);
  await node.kernel.mysql('chat_sign_in_rules').delete();
  expect((await page.call(other, ME)).status).toBe(200);
});

import { refusal } from '../../../support/chat/people';
import {
  openMailedCluster,
  openPage,
  PASSWORD,
  sendForm,
  tokenIn,
  type MailedCluster,
} from '../../../support/chat/mailed';
import { until } from '../../../support/until';

let all: MailedCluster;

beforeAll(async () => {
  all = await openMailedCluster({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => all.close());

const invalid = refusal('This link is invalid, has expired or was used before', { code: 'INVALID_LINK' });
const DEMO = 'demo';

const request = (email: string, headers = {}) => all.node.call('/api/v1/password_reset', { form: { email }, headers });
const set = (token: string, password = PASSWORD) =>
  all.node.call('/api/v1/password_reset/use', { form: { token, password } });
const logIn = async (username: string, password: string) =>
  (await all.node.call('/api/v1/fetch_api_key', { form: { username, password } })).status;

async function tokenFor(email: string, count = 1): Promise<string> {
  expect((await request(email)).body).toEqual({ result: 'success', msg: '' });
  return tokenIn(await all.mailTo(email, count), 'password_reset');
}

test("A password reset link works once and ends the user's other reset links", async () => {
  const [first, second] = [await tokenFor('member@example.com'), await tokenFor('member@example.com', 2)];
  expect((await set(first)).body).toEqual({ result: 'success', msg: '' });
  expect(await logIn('member@example.com', PASSWORD)).toBe(200);
  expect(await logIn('member@example.com', DEMO)).toBe(403);
  expect(await set(first, 'another long enough passphrase')).toMatchObject(invalid);
  expect(await set(second)).toMatchObject(invalid);
});

test('Two concurrent uses of one reset link set one password', async () => {
  const token = await tokenFor('guest@example.com');
  const answers = await Promise.all([set(token, `${PASSWORD} one`), set(token, `${PASSWORD} two`)]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
});

test('A weak password is refused, and the reset link stays valid', async () => {
  const token = await tokenFor('other@example.com');
  expect(await set(token, 'short')).toMatchObject(refusal('New password is too weak!'));
  expect((await set(token)).status).toBe(200);
});

test('The reset pages set a new password in a browser without scripts', async () => {
  const { length } = all.server.taken;
  const asked = await sendForm(all.node, '/password_reset', { email: 'other@example.com' });
  const unknown = await sendForm(all.node, '/password_reset', { email: 'nobody@example.com' });
  expect(asked).toMatchObject({ status: 200, title: 'Look at your mail' });
  expect(unknown).toEqual(asked);
  const mails = await until(
    () => Promise.resolve(all.server.taken.slice(length)),
    (taken) => taken.length > 0,
  );
  const path = `/password_reset/${tokenIn(mails[0]!, 'password_reset')}`;
  expect(await openPage(all.node, path)).toMatchObject({ title: 'A new password for other@example.com' });
  const weak = await sendForm(all.node, path, { password: 'short' });
  expect(weak).toMatchObject({ status: 400, title: 'A new password for other@example.com', fields: ['password'] });
  expect(weak.text).toContain('New password is too weak!');
  const password = `${PASSWORD} by page`;
  expect(await sendForm(all.node, path, { password })).toMatchObject({ status: 200, title: 'The password is set' });
  expect(await logIn('other@example.com', password)).toBe(200);
  expect(await openPage(all.node, path)).toMatchObject({ status: 400, text: expect.stringContaining('is invalid') });
});

test('The pages use the first supported language of the browser, and English otherwise', async () => {
  const open = async (path: string, languages: string): Promise<string> =>
    (await all.node.call(path, { headers: { 'Accept-Language': languages } })).text;
  const german = await open('/password_reset', 'fr-FR, de-AT;q=0.8, en;q=0.5');
  expect(german).toContain('<html lang="de">');
  expect(german).toContain('<h1>Ein neues Passwort anfordern</h1>');
  const refused = await open('/join/nonsense', 'de');
  expect(refused).toContain('<h1>Das hat nicht geklappt</h1>');
  expect(refused).toContain('Dieser Link ist ungültig');
  expect(await open('/password_reset', 'fr, constructor')).toContain('<html lang="en">');
});

test('A reset mail that is sent after its link expired contains a new link', async () => {
  const { mysql } = all.node.kernel;
  const email = 'guest@example.com';
  all.server.refused.set(email, { code: 451, message: 'Greylisted' });
  await request(email);
  const waiting = await until(
    () => all.states(email),
    (rows) => rows.some(({ state, attempts }) => state === 'pending' && attempts > 0),
  );
  expect(waiting.at(-1)!.error).toContain('Greylisted');
  const count = all.server.taken.filter(({ to }) => to.includes(email)).length;
  await mysql('chat_password_resets').update({ expires_at: mysql.raw('NOW(3) - INTERVAL 1 SECOND') });
  all.server.refused.delete(email);
  expect((await set(tokenIn(await all.mailTo(email, count + 1), 'password_reset'))).status).toBe(200);
});

test('A reset link expires, and ends when the password is changed in another way', async () => {
  const { mysql } = all.node.kernel;
  const expired = await tokenFor('owner@example.com');
  await mysql('chat_password_resets').update({ expires_at: mysql.raw('NOW(3) - INTERVAL 1 SECOND') });
  expect(await set(expired)).toMatchObject(invalid);
  const overtaken = await tokenFor('owner@example.com', 2);
  const changed = { old_password: DEMO, new_password: `${PASSWORD} by hand` };
  expect((await all.people.owner.patch('/settings', changed)).body.result).toBe('success');
  expect(await set(overtaken)).toMatchObject(invalid);
});

test('Unknown, deactivated and bot addresses get the same answer as known ones, and no mail', async () => {
  const known = await request('member@example.com');
  const addresses = ['nobody@example.com', 'helper-bot@example.com', 'gone@example.com'];
  const account = { email: 'gone@example.com', password: PASSWORD, full_name: 'Long Gone' };
  await all.people.owner.post('/users', account);
  const { members } = (await all.people.owner.get('/users')).body as { members: { email: string; user_id: number }[] };
  await all.people.owner.del(`/users/${members.find(({ email }) => email === 'gone@example.com')!.user_id}`);
  for (const address of addresses) {
    const { status, text } = await request(address);
    expect({ status, text }).toEqual({ status: known.status, text: known.text });
    await until(
      () => all.states(address),
      (rows) => rows.every(({ state }) => state === 'dropped'),
    );
  }
  expect(all.server.taken.flatMap(({ to }) => to)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/nobody|helper|gone/)]),
  );
});

test("A reset mail goes to the account's stored address, and a request for what only looks like it sends none", async () => {
  const count = all.server.taken.filter(({ to }) => to.includes('owner@example.com')).length;
  const written = '\uff4fwner@example.com';
  expect((await request(written)).status).toBe(200);
  await until(
    () => all.states(written),
    (rows) => rows.some(({ state }) => state === 'dropped'),
  );
  expect((await request('OWNER@example.com')).status).toBe(200);
  await all.mailTo('owner@example.com', count + 1);
  expect(all.server.taken.filter(({ to }) => to.includes('owner@example.com'))).toHaveLength(count + 1);
  expect(all.server.taken.flatMap(({ to }) => to)).not.toContain(written);
});

test("Reset links lead to the organisation's own URL, whatever host the request names", async () => {
  await request('other@example.com', { 'X-Forwarded-Host': 'evil.example' });
  const mail = await all.mailTo('other@example.com', 3);
  expect(mail.text).not.toContain('evil.example');
  expect(tokenIn(mail, 'password_reset')).toBeDefined();
});

test('A password reset for a malformed address is refused', async () => {
  expect(await request('nonsense')).toMatchObject(refusal('Enter a valid email address.'));
  expect((await request(`${'x'.repeat(300)}@example.com`)).status).toBe(400);
});

test('Password resets are rate limited for each email address, known or not', async () => {
  const node = await all.cluster.node({ PASSWORD_RESET_LIMIT: '60:2' });
  const ask = async (email: string) => (await node.call('/api/v1/password_reset', { form: { email } })).status;
  for (const email of ['owner@example.com', 'nobody@example.net']) {
    expect([await ask(email), await ask(email), await ask(email.toUpperCase())]).toEqual([200, 200, 429]);
  }
});

test('A password reset is refused where password login is turned off', async () => {
  const external = await all.cluster.node({ AUTH_METHODS: 'dev' });
  const form = { email: 'member@example.com' };
  expect((await external.call('/api/v1/password_reset', { form })).status).toBe(403);
});

import { totpCode, totpStep } from '../../src/kernel/passwords/totp';
import { createCompany } from '../../src/telephony/commands/companies/change-companies';
import * as passwords from '../../src/telephony/store/portal/passwords';
import { newUser } from '../support/chat/chat';
import type { Answer, TestClient } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { untilSomebodyWaits } from '../support/kernel/lock-waits';
import { signedIn, type TestPage } from '../support/http/pages';
import { until } from '../support/until';

/** The password attempts per account; they are not refilled while the tests run. */
const LIMIT = 3;
const ME = '/api/v1/users/me';
const RIGHT = 'demo';

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', TRUSTED_PROXIES: '127.0.0.1' });
  await cluster.seed();
  node = await cluster.node({ LOGIN_LIMIT: `3600:${LIMIT}` });
});
afterAll(() => cluster.close());

/** Creates a chat user with a password. */
async function person(name: string) {
  const user = await newUser(node, name);
  const { mysql } = node.kernel;
  const { password_hash } = await mysql('chat_users').where({ email: 'member@example.com' }).first('password_hash');
  await mysql('chat_users').where({ id: user.id }).update({ password_hash });
  return user;
}

let companies = 0;

/** Creates a company whose owner has this address and a password. */
async function contact(email: string, password = RIGHT): Promise<string> {
  const { kernel } = node;
  companies += 1;
  const owner = { email, firstName: 'Ann', lastName: 'Other' };
  const { ownerId } = await createCompany(kernel, { name: `Company ${companies}`, email, owner });
  const hash = await kernel.passwords.hash(password, { address: '', account: ownerId });
  await passwords.set(kernel.mysql, ownerId, hash);
  return email;
}

/** A browser: keeps all its cookies, and has its own address. */
interface Browser {
  readonly cookies: Map<string, string>;
  post(path: string, json: object): Promise<Answer>;
}

let browsers = 0;
function newBrowser(client: TestClient = node): Browser {
  browsers += 1;
  const from = `192.0.2.${browsers}`;
  const cookies = new Map<string, string>();
  return {
    cookies,
    async post(path, json) {
      const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await client.call(path, { json, headers: { Cookie, 'X-Forwarded-For': from } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      return answer;
    },
  };
}

const times = <T>(count: number, run: (at: number) => Promise<T>): Promise<T[]> =>
  Array.from({ length: count }).reduce<Promise<T[]>>(
    async (done, _, at) => [...(await done), await run(at)],
    Promise.resolve([]),
  );
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe.each([
  ['chat', '/web/session', 'partyline_session', 'partyline_device'],
  ['portal', '/portal/api/session', 'partyline_portal', 'partyline_portal_device'],
] as const)('Sign-in to the %s', (product, path, sessionCookie, deviceCookie) => {
  const account = async (name: string): Promise<string> =>
    product === 'chat' ? (await person(name)).email : contact(`${name}@example.com`);

  const enter = (browser: Browser, email: string, password: string) => browser.post(path, { email, password });
  const signOut = (browser: Browser) => browser.cookies.delete(sessionCookie);

  async function used(email: string): Promise<Browser> {
    const browser = newBrowser();
    expect((await enter(browser, email, RIGHT)).status).toBe(200);
    signOut(browser);
    return browser;
  }

  /** Guesses passwords until the account is closed to unknown browsers. */
  async function guess(email: string): Promise<void> {
    const stranger = newBrowser();
    const answers = await times(LIMIT + 1, (at) => enter(stranger, email, `guess ${at}`));
    expect(statusesOf(answers).at(-1)).toBe(429);
    expect((await enter(newBrowser(), email, RIGHT)).status).toBe(429);
  }

  test('Wrong passwords from unknown browsers do not lock out a browser that has signed in before', async () => {
    const email = await account('guessed');
    const own = await used(email);
    await guess(email);
    expect((await enter(own, email, RIGHT)).status).toBe(200);
    signOut(own);
    expect((await enter(own, email, 'a mistake')).status).toBe(401);
    expect((await enter(own, email.toUpperCase(), RIGHT)).status).toBe(200);
  });

  test('A browser that has signed in before cannot guess passwords without limit', async () => {
    const email = await account('owned');
    const own = await used(email);
    await guess(email);
    const answers = await times(LIMIT + 2, (at) => enter(own, email, `guess ${at}`));
    expect(statusesOf(answers)).toEqual([...Array<number>(LIMIT).fill(401), 429, 429]);
  });

  test('The device cookie of one account, or a forged one, allows no password guesses for another account', async () => {
    const [email, other] = [await account('first'), await account('second')];
    const own = await used(email);
    await guess(other);
    expect((await enter(own, other, RIGHT)).status).toBe(429);
    const device = own.cookies.get(deviceCookie)!;
    const last = device.at(-1) === 'A' ? 'B' : 'A';
    await guess(email);
    own.cookies.set(deviceCookie, device.slice(0, -1) + last);
    expect((await enter(own, email, RIGHT)).status).toBe(429);
  });

  test('An account that does not exist is answered like one that does', async () => {
    const email = await account('real');
    const own = await used(await account('requester'));
    const tried = async (name: string) => statusesOf(await times(LIMIT + 1, (at) => enter(own, name, `guess ${at}`)));
    expect(await tried('nobody-at-all@example.com')).toEqual(await tried(email));
  });
});

test('A device cookie of one company allows no guesses for a contact with the same address in another', async () => {
  const email = await contact('twice@example.com', 'what the owner chose');
  await contact(email, RIGHT);
  const enter = (browser: Browser, password: string) => browser.post('/portal/api/session', { email, password });
  const [own, stranger] = [newBrowser(), newBrowser()];
  expect((await enter(own, RIGHT)).status).toBe(200);
  await times(LIMIT, (at) => enter(stranger, `guess ${at}`));
  expect((await enter(own, 'what the owner chose')).status).toBe(401);
  expect((await enter(own, RIGHT)).status).toBe(200);
});

test('A signed-in user can change the password while others guess it', async () => {
  const { email } = await person('changing');
  const browser = newBrowser();
  const { body } = await browser.post('/web/session', { email, password: RIGHT });
  await times(LIMIT, (at) => newBrowser().post('/web/session', { email, password: `guess ${at}` }));
  const Cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const change = (old_password: string) =>
    node.call('/api/v1/settings', {
      method: 'PATCH',
      form: { old_password, new_password: 'plain words of nobody' },
      headers: { Cookie, 'X-Partyline-Token': body.token },
    });
  expect((await change('wrong')).status).toBe(400);
  expect((await change(RIGHT)).status).toBe(200);
});

describe('Turning on a second factor', () => {
  async function turnOn(page: TestPage): Promise<Answer> {
    const { secret } = (await page.call(node, '/web/two-factor', { method: 'POST' })).body;
    const json = { code: totpCode(secret, totpStep(Date.now())) };
    return page.call(node, '/web/two-factor/confirm', { json });
  }

  test("Turning on a second factor ends the user's other sessions on every node, but not the current one", async () => {
    const other = await cluster.node();
    const { email } = await person('careful');
    const [own, stolen] = [await signedIn(node, email), await signedIn(node, email)];
    expect((await stolen.call(other, ME)).status).toBe(200);
    expect((await turnOn(own)).status).toBe(200);
    expect(await stolen.call(node, ME)).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    await until(async () => (await stolen.call(other, ME)).status === 401);
    for (const at of [node, other]) expect((await own.call(at, ME)).status).toBe(200);
    expect((await own.call(node, '/web/sessions')).body.sessions).toHaveLength(1);
  });

  test('A sign-in whose password was checked just before a second factor was turned on is refused', async () => {
    const { email, id } = await person('racing');
    const own = await signedIn(node, email);
    const { mysql } = node.kernel;
    // Locks the user's row, so that the sign-in stops just before it opens its session.
    const held = await mysql.transaction();
    await held('chat_users').where({ id }).forUpdate().first('id');
    const late = node.call('/web/session', { json: { email, password: RIGHT } });
    await untilSomebodyWaits(mysql);
    await held('chat_two_factor').insert({ user_id: id, secret_sealed: 'x', is_on: true });
    await held.commit();
    expect(await late).toMatchObject({ status: 401, body: { code: 'CODE_REQUIRED' } });
    expect((await own.call(node, '/web/sessions')).body.sessions).toHaveLength(1);
  });
});

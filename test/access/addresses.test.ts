import { bearer, basicHeader } from '../support/http/client';
import { callerOf, type Caller } from '../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';

const STRONG = 'plain words of nobody';
let cluster: Cluster;
let node: TestNode;
let owner: Caller;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOGIN_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  owner = await callerOf(node, 'owner@example.com');
});
afterAll(() => cluster.close());

/** Characters that are invisible, or that Unicode compatibility (NFKC) replaces by plain letters. */
const DISGUISED = [
  'ｏwner@example.com',
  'ⓞwner@example.com',
  'owner@ｅxample.com',
  'in\u200bvisible@example.com',
  'soft\u00adhyphen@example.com',
  'bidi\u202e@example.com',
  'ma\u0301il@example.com',
];

describe('Addresses of chat accounts', () => {
  const add = (email: string) => owner.post('/users', { email, password: STRONG, full_name: 'Some Person' });
  const SPELLED = 'Ann.Lee@Example.com';
  const who = async (username: string) =>
    (await node.call('/api/v1/dev_fetch_api_key', { form: { username } })).body.email as string;
  const logIn = (username: string) => node.call('/api/v1/fetch_api_key', { form: { username, password: STRONG } });
  /** Gives an account a spelling that earlier releases allowed. */
  const respell = (from: string, to: string) =>
    node.kernel.mysql('chat_users').where({ email: from }).update({ email: to });

  /** The status of every request that can use an address to name an account. */
  async function uses(address: string, key: string): Promise<Record<string, number>> {
    const to = JSON.stringify([address]);
    const narrow = (operator: string) => JSON.stringify([{ operator, operand: address }]);
    const page = { anchor: '0', num_before: '0', num_after: '5' };
    const answers = {
      development: node.call('/api/v1/dev_fetch_api_key', { form: { username: address } }),
      password: logIn(address),
      page: node.call('/web/session', { json: { email: address, password: STRONG } }),
      key: node.call('/api/v1/users/me', { headers: basicHeader(address, key) }),
      message: owner.post('/messages', { type: 'private', to, content: 'hello' }),
      typing: owner.post('/typing', { op: 'start', to }),
      subscription: owner.post('/users/me/subscriptions', {
        subscriptions: JSON.stringify([{ name: 'for ann' }]),
        principals: to,
      }),
      conversation: owner.get('/messages', { narrow: narrow('pm-with'), ...page }),
      group: owner.get('/messages', { narrow: narrow('group-pm-with'), ...page }),
      sender: owner.get('/messages', { narrow: narrow('sender'), ...page }),
    };
    const statuses = Object.entries(answers).map(async ([name, answer]) => [name, (await answer).status] as const);
    return Object.fromEntries(await Promise.all(statuses));
  }

  const EVERYTHING = {
    development: 200,
    password: 200,
    page: 200,
    key: 200,
    message: 200,
    typing: 200,
    subscription: 200,
    conversation: 200,
    group: 200,
    sender: 200,
  };
  const NOTHING = {
    development: 403,
    password: 403,
    page: 401,
    key: 401,
    message: 400,
    typing: 400,
    subscription: 403,
    conversation: 400,
    group: 400,
    sender: 400,
  };

  test('Two chat addresses that differ in an accent belong to two accounts', async () => {
    for (const email of ['máil@example.com', 'mail@example.com']) {
      expect((await add(email)).status).toBe(200);
      expect(await who(email)).toBe(email);
    }
    for (const taken of ['MÁIL@example.com', 'MAIL@example.com']) {
      expect(await add(taken)).toMatchObject({ status: 400, body: { msg: `Email '${taken}' already in use` } });
    }
  });

  test.each([...DISGUISED, 'nul\u0000@example.com', 'two@at＠example.com'])(
    'A new chat account cannot have an address with disguised characters: %j',
    async (email) => {
      const msg = 'The email address has characters that are invisible or look like others. Write it in plain letters.';
      expect(await add(email)).toMatchObject({ status: 400, body: { result: 'error', msg } });
    },
  );

  test('A new chat account cannot have an address with a space in it', async () => {
    const answer = await add('to short@example.com');
    expect(answer).toMatchObject({ status: 400, body: { msg: 'Bad name or username' } });
  });

  test.each(['用户@例子.example', 'δοκιμή@example.com', 'jürgen@bücher.example'])(
    'A chat account can have the international address %s',
    async (email) => {
      expect((await add(email)).status).toBe(200);
      expect((await logIn(email)).body).toMatchObject({ email });
    },
  );

  test('A chat address is shown as it was written, and names the account in every case of its letters', async () => {
    expect((await add(SPELLED)).status).toBe(200);
    const { body } = await logIn(' ANN.lee@example.com');
    expect(body).toMatchObject({ email: SPELLED });
    expect(await uses(' ANN.lee@example.com', body.api_key as string)).toEqual(EVERYTHING);
    const presence = await owner.get(`/users/${encodeURIComponent('ANN.lee@example.com')}/presence`);
    expect(presence.body.msg).toBe(`No presence data for ${SPELLED}`);
    const left = await node.call('/api/v1/users/me/subscriptions', {
      method: 'DELETE',
      headers: basicHeader('ann.lee@example.com', body.api_key as string),
      form: { subscriptions: JSON.stringify(['for ann']), principals: JSON.stringify(['ANN.lee@example.com']) },
    });
    expect(left.body).toMatchObject({ result: 'success', removed: ['for ann'] });
  });

  test.each(['ANN.lee@ｅxample.com', 'ⓐnn.lee@example.com', 'ann\u200b.lee@example.com'])(
    'A chat address that only looks like an account’s is treated as unknown: %j',
    async (address) => {
      const { body } = await logIn(SPELLED);
      expect(await uses(address, body.api_key as string)).toEqual(NOTHING);
    },
  );

  test('A chat account with a disguised address of earlier releases is found by that address alone', async () => {
    expect((await add('kim@example.com')).status).toBe(200);
    await respell('kim@example.com', 'ｋim@example.com');
    const { body } = await logIn('ｋim@Example.com');
    expect(body).toMatchObject({ email: 'ｋim@example.com' });
    expect(await uses('ｋim@example.com', body.api_key as string)).toEqual(EVERYTHING);
    expect(await uses('kim@example.com', body.api_key as string)).toEqual(NOTHING);
    // The plain spelling stays taken: the two could not be told apart.
    expect(await add('kim@example.com')).toMatchObject({ status: 400 });
  });
});

describe('Addresses of company contacts', () => {
  const headers = bearer('demo-key-one');
  const ask = (method: string, path: string, json: object) => node.call(path, { method, headers, json });
  const add = (work_email: string) =>
    ask('POST', '/company/contacts', { work_email, first_name: 'Zoé', last_name: 'Z' });
  const listed = async (work_email: string) =>
    (await node.call('/system/company/contacts', { headers, query: { work_email } })).text;
  const refusal = (field: string) => ({
    status: 400,
    body: {
      status: 400,
      detail: `${field}: must be written in plain letters, without characters that are invisible or look like others`,
    },
  });

  test('Two contact addresses that differ in an accent belong to two contacts, and a search finds each', async () => {
    for (const email of ['Zoé@example.com', 'zoe@example.com']) expect((await add(email)).status).toBe(201);
    for (const taken of ['ZOE@example.com', 'ZOÉ@example.com']) {
      expect(await add(taken)).toMatchObject({ status: 400, body: { detail: expect.stringContaining('already') } });
    }
    const found = await listed('ZOÉ@EXAMPLE.COM');
    expect(found).toContain('Zoé@example.com');
    expect(found).not.toContain('zoe@example.com');
  });

  test.each(DISGUISED)('A new address with disguised characters is refused by telephony: %j', async (email) => {
    expect(await add(email)).toMatchObject(refusal('work_email'));
    const person = { first_name: 'Zoé', work_email: 'zoe.2@example.com', contacts: { email } };
    expect(await ask('POST', '/company/contacts', person)).toMatchObject(refusal('contacts.email'));
    expect(await ask('PATCH', '/company', { email })).toMatchObject(refusal('email'));
    expect(await ask('PATCH', '/company', { billing_email: email })).toMatchObject(refusal('billing_email'));
    expect(await ask('POST', '/company/locations', { name: 'Attic', email })).toMatchObject(refusal('email'));
    expect(await ask('POST', '/fax/destinations', { emails: [email] })).toMatchObject(refusal('emails'));
    const extension = { data: { id: 990, name: 'Attic', voicemail_email: email } };
    const ordered = await ask('POST', '/instances/00000000-0000-4000-8000-000000000001/bulks/extensions', extension);
    expect(ordered).toMatchObject({ status: 400, body: { detail: expect.stringContaining('data.voicemail_email') } });
  });

  test('A contact with a disguised address of earlier releases can be saved unchanged, and can be changed', async () => {
    const { body } = await add('lou@example.com');
    const odd = 'ｌou@example.com';
    await node.kernel.mysql('tel_contacts').where({ id: body.id }).update({ work_email: odd });
    const path = `/company/contacts/${body.id}`;
    const kept = await ask('PATCH', path, { work_email: odd, last_name: 'Kept' });
    expect(kept).toMatchObject({ status: 200, body: { work_email: odd, last_name: 'Kept' } });
    expect(await ask('PATCH', path, { work_email: 'ⓛou@example.com' })).toMatchObject(refusal('work_email'));
    expect(await ask('PATCH', path, { work_email: 'lou@example.com' })).toMatchObject({ status: 200 });
  });
});

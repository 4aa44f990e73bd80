import { bearer, basicHeader } from '../support/client';
import { callerOf, type Caller } from '../support/chat-people';
import { openCluster, type Cluster, type TestNode } from '../support/cluster';

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

describe('Addresses of chat accounts', () => {
  const add = (email: string) => owner.post('/users', { email, password: STRONG, full_name: 'Some Person' });
  const SPELLED = 'Ann.Lee@Example.com';
  const OTHERWISE = ' ANN.lee@ｅxample.com';
  const who = async (username: string) =>
    (await node.call('/api/v1/dev_fetch_api_key', { form: { username } })).body.email as string;

  test('Two chat addresses that differ in an accent belong to two accounts', async () => {
    for (const email of ['máil@example.com', 'mail@example.com']) {
      expect((await add(email)).status).toBe(200);
      expect(await who(email)).toBe(email);
    }
    for (const taken of ['MÁIL@example.com', 'ma\u0301il@example.com', 'ｍail@example.com']) {
      expect(await add(taken)).toMatchObject({ status: 400, body: { msg: `Email '${taken}' already in use` } });
    }
  });

  test.each(['in\u200bvisible@example.com', 'nul\u0000@example.com', 'two@at＠example.com', 'to short@example.com'])(
    'A chat account cannot have an address that is not what it looks like: %j',
    async (email) => {
      expect(await add(email)).toMatchObject({ status: 400, body: { msg: 'Bad name or username' } });
    },
  );

  test('A chat address is shown as it was written, and every login accepts it in every spelling', async () => {
    expect((await add(SPELLED)).status).toBe(200);
    expect(await who(OTHERWISE)).toBe(SPELLED);
    const login = await node.call('/api/v1/fetch_api_key', { form: { username: OTHERWISE, password: STRONG } });
    expect(login.body).toMatchObject({ email: SPELLED });
    const headers = basicHeader(OTHERWISE, login.body.api_key as string);
    const me = await node.call('/api/v1/users/me', { headers });
    expect(me.body).toMatchObject({ email: SPELLED });

    const to = JSON.stringify([OTHERWISE]);
    expect((await owner.post('/messages', { type: 'private', to, content: 'hello' })).status).toBe(200);
    expect((await owner.post('/typing', { op: 'start', to })).status).toBe(200);
    const subscriptions = JSON.stringify([{ name: 'for ann' }]);
    const added = await owner.post('/users/me/subscriptions', { subscriptions, principals: to });
    expect(added.body.subscribed).toEqual({ [SPELLED]: ['for ann'] });
    for (const operator of ['pm-with', 'sender']) {
      const narrow = JSON.stringify([{ operator, operand: OTHERWISE }]);
      const found = await owner.get('/messages', { narrow, anchor: '0', num_before: '0', num_after: '5' });
      expect(found.status).toBe(200);
    }
    const presence = await owner.get(`/users/${encodeURIComponent(OTHERWISE)}/presence`);
    expect(presence.body.msg).toBe(`No presence data for ${SPELLED}`);
    const subscribed = JSON.stringify(['for ann']);
    const left = await node.call('/api/v1/users/me/subscriptions', {
      method: 'DELETE',
      headers,
      form: { subscriptions: subscribed, principals: to },
    });
    expect(left.body).toMatchObject({ result: 'success', removed: ['for ann'] });
  });
});

describe('Addresses of company contacts', () => {
  const headers = bearer('demo-key-one');
  const add = (work_email: string) =>
    node.call('/company/contacts', { headers, json: { work_email, first_name: 'Zoé', last_name: 'Z' } });
  const listed = async (work_email: string) =>
    (await node.call('/system/company/contacts', { headers, query: { work_email } })).text;

  test('Two contact addresses that differ in an accent belong to two contacts, each found in every spelling', async () => {
    for (const email of ['Zoé@example.com', 'zoe@example.com']) expect((await add(email)).status).toBe(201);
    for (const taken of ['ZOE@example.com', 'ｚoe@example.com', 'ZOÉ@example.com', 'zoe\u0301@example.com']) {
      expect((await add(taken)).status).toBe(400);
    }
    const found = await listed('ZOÉ@EXAMPLE.COM');
    expect(found).toContain('Zoé@example.com');
    expect(found).not.toContain('zoe@example.com');
  });

  test('A contact cannot have an address with an invisible character in it', async () => {
    expect((await add('z\u200boe@example.com')).status).toBe(400);
  });
});

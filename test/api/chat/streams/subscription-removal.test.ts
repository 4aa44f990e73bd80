import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;
let guest: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other, guest] = (await Promise.all(
    ['owner', 'member', 'other', 'guest'].map((name) => userOf(node, name)),
  )) as [TestUser, TestUser, TestUser, TestUser];
});
afterAll(() => cluster.close());

const PATH = '/users/me/subscriptions';
const error = (msg: string, more: object = {}) => ({ status: 400, body: { result: 'error', msg, ...more } });
const add = (by: TestUser, names: string[], more: object = {}) =>
  by.post(PATH, { subscriptions: names.map((name) => ({ name })), ...more });
const remove = (by: TestUser, subscriptions: string[], more: object = {}) => by.del(PATH, { subscriptions, ...more });
const own = async (by: TestUser, wanted: string) =>
  (await by.get(PATH)).body.subscriptions.find(({ name }: { name: string }) => name === wanted);

describe('DELETE /users/me/subscriptions', () => {
  test('Unsubscribing returns which streams were removed and which were not subscribed', async () => {
    await add(member, ['Rome', 'Milan']);
    await add(other, ['Milan']);
    expect(await remove(other, ['rome', 'milan'])).toMatchObject({
      status: 200,
      body: { result: 'success', msg: '', removed: ['Milan'], not_removed: ['Rome'] },
    });
    expect((await remove(other, ['milan'], { principals: [] })).body).toMatchObject({
      removed: [],
      not_removed: ['Milan'],
    });
  });

  test('Unsubscribing from an unknown stream is an error and removes nothing', async () => {
    expect(await remove(member, ['Rome', 'nowhere'])).toMatchObject(
      error("Stream 'nowhere' does not exist", { code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere' }),
    );
    expect(await own(member, 'Rome')).toBeDefined();
    expect(await remove(member, [''])).toMatchObject(error("Invalid stream name ''"));
    expect(await member.del(PATH, { subscriptions: [1] })).toMatchObject(error('subscriptions[0] is not a string'));
  });

  test('Unsubscribing from a hidden stream answers as if it did not exist', async () => {
    for (const by of [member, guest]) {
      expect(await remove(by, ['leadership'])).toMatchObject(error("Stream 'leadership' does not exist"));
    }
    expect(await remove(guest, ['Rome'])).toMatchObject(error("Stream 'Rome' does not exist"));
    await add(member, ['club'], { invite_only: true, principals: [member.email, other.email] });
    expect((await remove(other, ['club'])).body.removed).toEqual(['club']);
    expect((await remove(other, ['club'])).body.not_removed).toEqual(['club']);
  });

  test('Only administrators can unsubscribe others, even from private streams', async () => {
    const refused = error('This action requires administrative rights');
    expect(await remove(member, ['Rome'], { principals: [other.email] })).toMatchObject(refused);
    expect(await remove(member, ['Rome'], { principals: [member.email, other.email] })).toMatchObject(refused);
    await add(member, ['secret'], { invite_only: true, principals: [member.email, other.email] });
    const answer = await remove(owner, ['secret', 'Rome'], { principals: [other.email, owner.email] });
    expect(answer.body.removed).toEqual(['secret']);
    expect(answer.body.not_removed.sort()).toEqual(['Rome', 'Rome', 'secret']);
    expect(await remove(owner, ['Rome'], { principals: ['nobody@example.com'] })).toMatchObject({ status: 403 });
    expect((await remove(member, ['Milan'], { principals: [member.email] })).body.removed).toEqual(['Milan']);
  });

  test('Unsubscribing keeps the colour, the settings and the messages that were received', async () => {
    await member.post(PATH, { subscriptions: [{ name: 'Turin', color: '#123456' }] });
    const { stream_id: id } = await own(member, 'Turin');
    await member.post(`${PATH}/properties`, {
      subscription_data: [{ stream_id: id, property: 'pin_to_top', value: true }],
    });
    await member.post('/messages', { type: 'stream', to: 'Turin', topic: 't', content: 'one' });
    const row = () => node.kernel.mysql('chat_subscriptions').where({ recipient_id: id, user_id: member.id }).first();
    const ranges = () => node.kernel.mysql('chat_receptions').where({ recipient_id: id, user_id: member.id });
    const [{ head: first }] = await heads();
    await remove(member, ['Turin']);
    const { from_id: from } = await row();
    expect(await ranges()).toMatchObject([{ from_id: from, to_id: first }]);
    expect(await row()).toMatchObject({ is_active: 0, read_id: first });
    await other.post('/messages', { type: 'stream', to: 'Turin', topic: 't', content: 'two' });
    const [{ head: second }] = await heads();
    await member.post(PATH, { subscriptions: [{ name: 'Turin', color: '#ffffff' }] });
    expect(await own(member, 'Turin')).toMatchObject({ color: '#123456', pin_to_top: true });
    expect(await row()).toMatchObject({ is_active: 1, from_id: second + 1, read_id: second });
    // No message was sent meanwhile, so there is nothing to keep.
    await remove(member, ['Turin']);
    expect(await ranges()).toHaveLength(1);
  });
});

const heads = () =>
  node.kernel.mysql('kernel_counters').where('tenant', 'like', 'chat:%').select({ head: 'record_number' });

describe('PATCH /users/me/subscriptions', () => {
  test('PATCH /users/me/subscriptions adds and removes in one request, and needs at least one', async () => {
    await add(other, ['Pisa']);
    const { body } = await other.patch(PATH, { add: [{ name: 'Siena', more: 1 }], delete: ['Pisa', 'Rome'] });
    expect(body).toMatchObject({
      subscribed: { 'other@example.com': ['Siena'] },
      already_subscribed: {},
      removed: ['Pisa'],
      not_removed: ['Rome'],
    });
    expect(await other.patch(PATH)).toMatchObject(error('Nothing to do. Specify at least one of "add" or "delete".'));
    expect(await other.patch(PATH, { add: [{ name: 'unmade' }], delete: ['nowhere'] })).toMatchObject(
      error("Stream 'nowhere' does not exist"),
    );
    expect((await owner.get('/get_stream_id', { stream: 'unmade' })).status).toBe(400);
  });
});

describe('GET /users/me/subscriptions', () => {
  test("Subscriptions are sorted by name, with subscribers' addresses if the request asks for them", async () => {
    const { body: plain } = await guest.get(PATH);
    const names = plain.subscriptions.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['announcements', 'general', 'test']);
    expect(plain.subscriptions[0]).not.toHaveProperty('subscribers');
    const { body } = await guest.get(PATH, { include_subscribers: true });
    expect(body.subscriptions[0].subscribers).toEqual(
      ['owner', 'member', 'other', 'guest', 'webhook-bot', 'helper-bot'].map((name) => `${name}@example.com`),
    );
  });

  test("The user's general notification settings apply where a subscription has none", async () => {
    await member.patch('/settings/notifications', { enable_stream_push_notifications: true });
    expect(await own(member, 'test')).toMatchObject({ push_notifications: true, desktop_notifications: false });
  });
});

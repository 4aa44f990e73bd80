import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';
import { userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other] = [await userOf(node, 'owner'), await userOf(node, 'member'), await userOf(node, 'other')];
});
afterAll(() => cluster.close());

const PATH = '/users/me/muted_users';
const mute = (who: TestUser, by = member) => by.post(`${PATH}/${who.id}`);
const unmute = (who: TestUser, by = member) => by.del(`${PATH}/${who.id}`);
const refused = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });
const success = { status: 200, body: { result: 'success', msg: '' } };
const muted = async (by = member) =>
  (await by.post('/register', { fetch_event_types: ['muted_users'], event_types: [] })).body.muted_users;
const send = async (by: TestUser, form: object): Promise<number> =>
  (await by.post('/messages', { content: 'hello', topic: 'mute', ...form })).body.id;
const toTest = (by: TestUser, content = 'hello') => send(by, { type: 'stream', to: 'test', content });
const flagsOf = async (id: number, by = member): Promise<string[]> =>
  (await by.get('/messages', { anchor: id, num_before: 0, num_after: 0 })).body.messages[0].flags;

describe('Muted users', () => {
  test('A user is muted once and unmuted, and the whole list is published and registered', async () => {
    const listen = await member.listen(['muted_users']);
    expect(await mute(owner)).toMatchObject(success);
    expect(await mute(owner)).toMatchObject(refused('User already muted'));
    expect(await mute(other)).toMatchObject(success);
    const at = { timestamp: expect.any(Number) };
    expect((await muted())[0].timestamp).toBeGreaterThan(1_700_000_000);
    const ids = (await muted()).map(({ id }: { id: number }) => id);
    expect(new Set(ids)).toEqual(new Set([owner.id, other.id]));
    expect(await muted(other)).toEqual([]);
    for (const who of [owner, other]) expect(await unmute(who)).toMatchObject(success);
    expect(await unmute(owner)).toMatchObject(refused('User is not muted'));
    const one = { id: owner.id, ...at };
    expect((await listen()).map(({ muted_users }) => muted_users)).toEqual([
      [one],
      expect.arrayContaining([one, { id: other.id, ...at }]),
      [{ id: other.id, ...at }],
      [],
    ]);
  });

  test('Nobody mutes themselves or somebody who does not exist, but bots and deactivated people', async () => {
    expect(await mute(member)).toMatchObject(refused('Cannot mute self'));
    expect(await member.post(`${PATH}/999999`)).toMatchObject(refused('No such user'));
    expect(await member.del(`${PATH}/999999`)).toMatchObject(refused('No such user'));
    const helper = await userOf(node, 'helper-bot');
    expect(await mute(helper)).toMatchObject(success);
    expect(await unmute(helper)).toMatchObject(success);
  });

  test('Nobody mutes more than 1000 users', async () => {
    const { mysql } = node.kernel;
    const rows = Array.from({ length: 1000 }, (_, at) => `(${member.id}, ${100_000 + at}, 1, 1)`).join();
    const unchecked = (sql: string) => `SET FOREIGN_KEY_CHECKS = 0; ${sql}; SET FOREIGN_KEY_CHECKS = 1`;
    await mysql.raw(unchecked(`INSERT INTO chat_muted_users (user_id, muted_id, realm_id, muted_at) VALUES ${rows}`));
    expect(await mute(owner)).toMatchObject(refused('Too many muted users (limit: 1000)'));
    await mysql('chat_muted_users').where({ user_id: member.id }).delete();
  });

  test('Clients of Zulip 2.1 are told only if they ask', async () => {
    expect((await member.post('/register', {})).body).not.toHaveProperty('muted_users');
    const today = { client_capabilities: { notification_settings_null: true, user_settings_object: true } };
    expect((await member.post('/register', today)).body.muted_users).toEqual([]);
  });
});

describe('What a muted user writes', () => {
  beforeAll(() => mute(other));
  afterAll(() => unmute(other));

  test('is read, for the muter alone: in streams, privately, and where they are mentioned', async () => {
    const listen = await member.listen(['message']);
    const stream = await toTest(other);
    const mention = await toTest(other, 'hi @**Max Member**');
    const pair = await send(other, { type: 'private', to: [member.id] });
    const group = await send(other, { type: 'private', to: [member.id, owner.id] });
    expect((await listen()).map(({ flags }) => flags)).toEqual([['read'], ['read', 'mentioned'], ['read'], ['read']]);
    for (const id of [stream, pair, group]) expect(await flagsOf(id)).toEqual(['read']);
    expect(await flagsOf(mention)).toEqual(['read', 'mentioned']);
    expect(await flagsOf(stream, owner)).toEqual([]);
    expect(await flagsOf(group, owner)).toEqual([]);
    const { unread_msgs: unread } = (await member.post('/register', {})).body;
    expect(JSON.stringify(unread)).not.toContain(String(mention));
  });

  test('stays read when it is edited', async () => {
    const id = await toTest(other);
    const listen = await member.listen(['update_message']);
    await other.patch(`/messages/${id}`, { content: 'again, @**Max Member**' });
    expect(await listen()).toEqual([expect.objectContaining({ flags: ['read', 'mentioned'] })]);
  });

  test('that came before is marked as read', async () => {
    const ids = [await toTest(owner), await send(owner, { type: 'private', to: [member.id] })];
    for (const id of ids) expect(await flagsOf(id)).toEqual([]);
    const listen = await member.listen(['update_message_flags']);
    await mute(owner);
    const [event] = await listen();
    expect(event).toMatchObject({ operation: 'add', flag: 'read', messages: expect.arrayContaining(ids) });
    for (const id of ids) expect(await flagsOf(id)).toEqual(['read']);
    await unmute(owner);
    expect(await flagsOf(await toTest(owner))).toEqual([]);
  });

  test('Neither side sees in receipts that the other has read something', async () => {
    const fromOther = await toTest(other);
    const readers = async (id: number, by: TestUser) => (await by.get(`/messages/${id}/read_receipts`)).body.user_ids;
    expect(await readers(fromOther, other)).toEqual([]);
    const fromMember = await toTest(member);
    await other.post('/messages/flags', { messages: [fromMember], op: 'add', flag: 'read' });
    await owner.post('/messages/flags', { messages: [fromMember], op: 'add', flag: 'read' });
    expect(await readers(fromMember, member)).toEqual([owner.id]);
    expect(await readers(fromMember, owner)).toContain(other.id);
  });

  test('on another node, too, as soon as that has heard of it', async () => {
    const second = await cluster.node();
    const there = await userOf(second, 'other');
    await toTest(there);
    await unmute(other);
    const listen = await (await userOf(second, 'member')).listen(['muted_users']);
    await mute(other);
    await listen();
    await until(async () => (await flagsOf(await toTest(there))).includes('read'));
  });
});

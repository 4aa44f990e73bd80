import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let other: TestUser;
let guest: TestUser;
let bot: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, other, guest, bot] = (await Promise.all(
    ['owner', 'member', 'other', 'guest', 'helper-bot'].map((name) => userOf(node, name)),
  )) as [TestUser, TestUser, TestUser, TestUser, TestUser];
});
afterAll(() => cluster.close());

const bad = { code: 'BAD_REQUEST' };
const error = (msg: string, more: object = {}) => ({ status: 400, body: { result: 'error', msg, ...more } });
const add = (by: TestUser, names: string[], more: object = {}) =>
  by.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...more });
const listed = async (by: TestUser, query: object = {}) =>
  (await by.get('/streams', { ...query })).body.streams.map(({ name }: { name: string }) => name) as string[];
const idOf = async (name: string) => (await node.kernel.mysql('chat_streams').where({ name }).first('id')).id as number;

describe('GET /streams', () => {
  test('GET /streams returns public and subscribed streams by default, sorted and in full', async () => {
    const { status, body } = await owner.get('/streams');
    expect(status).toBe(200);
    expect(body.streams.map(({ name }: { name: string }) => name)).toEqual([
      'announcements',
      'general',
      'leadership',
      'test',
    ]);
    expect(body.streams[1]).toEqual({
      name: 'general',
      stream_id: expect.any(Number),
      description: 'Everything and everyone',
      rendered_description: '<p>Everything and everyone</p>',
      invite_only: false,
      is_web_public: false,
      is_announcement_only: false,
      history_public_to_subscribers: true,
      first_message_id: null,
      is_archived: false,
      folder_id: null,
      is_recently_active: true,
    });
  });

  test('Each flag of GET /streams adds or removes its own streams', async () => {
    await add(other, ['elsewhere']);
    await add(member, ['den'], { invite_only: true });
    const none = { include_public: false, include_subscribed: false };
    expect(await listed(member, none)).toEqual([]);
    expect(await listed(member, { include_subscribed: false })).toEqual([
      'announcements',
      'elsewhere',
      'general',
      'test',
    ]);
    expect(await listed(member, { include_public: false })).toEqual(['announcements', 'den', 'general', 'test']);
    expect(await listed(owner, { include_all_active: true })).toContain('den');
    expect(await listed(member, { ...none, include_default: true })).toEqual(['general']);
    expect(await listed(bot, { ...none, include_owner_subscribed: true })).toContain('den');
    expect(await listed(member, { ...none, include_owner_subscribed: true })).toEqual([]);
    const { body } = await member.get('/streams', { include_default: true });
    expect(body.streams.map((stream: { is_default: boolean }) => stream.is_default)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  test('Only administrators can list all active streams', async () => {
    expect(await member.get('/streams', { include_all_active: true })).toMatchObject(
      error('User not authorized for this query', bad),
    );
    expect(await member.get('/streams', { include_public: 'yes' })).toMatchObject(
      error('Argument "include_public" is not valid JSON.'),
    );
  });

  test('Guests see only subscribed streams, and streams without subscribers are not listed', async () => {
    expect(await listed(guest, { include_default: true })).toEqual(['announcements', 'general', 'test']);
    await other.del('/users/me/subscriptions', { subscriptions: ['elsewhere'] });
    expect(await listed(other)).not.toContain('elsewhere');
    expect(await listed(owner, { include_all_active: true })).toContain('elsewhere');
    expect((await member.get('/get_stream_id', { stream: 'elsewhere' })).status).toBe(200);
  });

  test("A stream's first_message_id is the id of its first message", async () => {
    const { body } = await member.post('/messages', { type: 'stream', to: 'test', topic: 'a', content: 'first' });
    await member.post('/messages', { type: 'stream', to: 'test', topic: 'b', content: 'second' });
    const { streams } = (await member.get('/streams')).body;
    expect(streams.find(({ name }: { name: string }) => name === 'test').first_message_id).toBe(body.id);
  });
});

describe('Single streams', () => {
  test('GET /get_stream_id finds only streams that the user can see', async () => {
    expect((await member.get('/get_stream_id', { stream: ' TEST ' })).body.stream_id).toBe(await idOf('test'));
    for (const [by, name] of [
      [member, 'nowhere'],
      [member, 'leadership'],
      [guest, 'den'],
    ] as const) {
      expect(await by.get('/get_stream_id', { stream: name })).toMatchObject(
        error(`Invalid stream name '${name}'`, bad),
      );
    }
    expect(await member.get('/get_stream_id')).toMatchObject(error("Missing 'stream' argument"));
  });

  test("Only subscribers, members who could subscribe, and administrators see a stream's members", async () => {
    const members = async (by: TestUser, name: string) => by.get(`/streams/${await idOf(name)}/members`);
    expect((await members(guest, 'general')).body.subscribers).toContain('owner@example.com');
    expect((await members(owner, 'den')).body.subscribers).toEqual(['member@example.com']);
    for (const answer of [await members(other, 'den'), await other.get('/streams/999999/members')]) {
      expect(answer).toMatchObject(error('Invalid stream id', bad));
    }
    await add(other, ['Naples']);
    expect(await members(guest, 'Naples')).toMatchObject(error('Invalid stream id', bad));
  });
});

describe('GET /users/me/{stream_id}/topics', () => {
  const send = async (by: TestUser, to: string, topic: string) =>
    (await by.post('/messages', { type: 'stream', to, topic, content: topic })).body.id as number;
  const topics = async (by: TestUser, name: string) => by.get(`/users/me/${await idOf(name)}/topics`);

  test('Topics come newest first, each once whatever its case', async () => {
    await add(member, ['talk']);
    await send(member, 'talk', 'one');
    const two = await send(other, 'talk', 'two');
    const one = await send(member, 'talk', 'ONE');
    expect((await topics(other, 'talk')).body.topics).toEqual([
      { name: 'ONE', max_id: one },
      { name: 'two', max_id: two },
      { name: 'stream events', max_id: expect.any(Number) },
    ]);
    expect((await topics(other, 'den')).body.msg).toBe('Invalid stream id');
  });

  test('Without public history, a user sees only the topics that they received', async () => {
    await add(member, ['whisper'], { invite_only: true });
    await send(member, 'whisper', 'before');
    const early = await send(member, 'whisper', 'both');
    await add(member, ['whisper'], { principals: [other.email] });
    const late = await send(member, 'whisper', 'after');
    expect((await topics(other, 'whisper')).body.topics).toEqual([{ name: 'after', max_id: late }]);
    await other.del('/users/me/subscriptions', { subscriptions: ['whisper'] });
    await send(member, 'whisper', 'meanwhile');
    await add(member, ['whisper'], { principals: [other.email] });
    expect((await topics(other, 'whisper')).body.topics).toEqual([{ name: 'after', max_id: late }]);
    expect((await topics(member, 'whisper')).body.topics).toContainEqual({ name: 'both', max_id: early });
  });
});

describe('Default streams', () => {
  test('Administrators choose the default streams, which new users are subscribed to', async () => {
    expect(await member.post('/default_streams', { stream_name: 'test' })).toMatchObject(
      error('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }),
    );
    expect((await owner.post('/default_streams', { stream_name: 'TEST' })).body).toEqual({
      result: 'success',
      msg: '',
    });
    expect(await owner.post('/default_streams', { stream_name: 'nowhere' })).toMatchObject(
      error("Invalid stream name 'nowhere'", bad),
    );
    expect(await owner.post('/default_streams', { stream_name: 'leadership' })).toMatchObject(
      error('Private streams cannot be made default.'),
    );
    const fresh = await newUser(node, 'fresh');
    expect(await listed(fresh, { include_public: false })).toEqual(['general', 'test']);
    await owner.del('/default_streams', { stream_name: 'test' });
    expect(await listed(owner, { include_public: false, include_subscribed: false, include_default: true })).toEqual([
      'general',
    ]);
  });
});

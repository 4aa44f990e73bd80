import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let stream: number;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member] = [await userOf(node, 'owner'), await userOf(node, 'member')];
  stream = await idOf('test');
});
afterAll(() => cluster.close());

const idOf = async (name: string) => (await node.kernel.mysql('chat_streams').where({ name }).first('id')).id as number;
const [NONE, MUTED, UNMUTED, FOLLOWED] = [0, 1, 2, 3];
const set = (topic: string, policy: number, stream_id = stream, by = member) =>
  by.post('/user_topics', { stream_id, topic, visibility_policy: policy });
const mute = (topic: string, op = 'add') =>
  member.patch('/users/me/subscriptions/muted_topics', { stream_id: stream, topic, op });
const error = (msg: string) => ({ status: 400, body: { result: 'error', msg } });
const success = { status: 200, body: { result: 'success', msg: '' } };
const topics = async (by = member) =>
  (await by.post('/register', { fetch_event_types: ['user_topic', 'muted_topics'], event_types: ['user_topic'] })).body;

describe('POST /user_topics', () => {
  test('A topic is muted, unmuted and followed, and each change is published in both forms', async () => {
    const listen = await member.listen(['muted_topics', 'user_topic']);
    expect(await set('lunch', FOLLOWED)).toMatchObject(success);
    expect(await set('LUNCH', FOLLOWED)).toMatchObject(success);
    expect(await set('Lunch', MUTED)).toMatchObject(success);
    expect(await set('lunch', NONE)).toMatchObject(success);
    expect(await set('lunch', NONE)).toMatchObject(success);
    const changed = { type: 'user_topic', stream_id: stream, last_updated: expect.any(Number) };
    expect(await listen()).toEqual([
      { type: 'muted_topics', muted_topics: [] },
      { ...changed, topic_name: 'lunch', visibility_policy: FOLLOWED },
      { type: 'muted_topics', muted_topics: [['test', 'lunch']] },
      { ...changed, topic_name: 'Lunch', visibility_policy: MUTED },
      { type: 'muted_topics', muted_topics: [] },
      { ...changed, topic_name: 'lunch', visibility_policy: NONE },
    ]);
  });

  test('The initial state lists all policies, and to clients of Zulip 2.1 only muted topics', async () => {
    await set('plans', FOLLOWED);
    await set('noise', MUTED);
    const { user_topics: listed, muted_topics: muted } = await topics();
    const known = { stream_id: stream, last_updated: expect.any(Number) };
    expect(listed).toEqual([
      { ...known, topic_name: 'noise', visibility_policy: MUTED },
      { ...known, topic_name: 'plans', visibility_policy: FOLLOWED },
    ]);
    expect(listed[0].last_updated).toBeGreaterThan(1_700_000_000);
    expect(muted).toEqual([['test', 'noise']]);
    expect((await topics(owner)).user_topics).toEqual([]);
    await set('plans', NONE);
    await set('noise', NONE);
  });

  test('The older route mutes a followed topic, and finds a followed one not muted', async () => {
    await set('both', FOLLOWED);
    expect(await mute('both', 'remove')).toMatchObject(error('Topic is not muted'));
    expect(await mute('both')).toMatchObject(success);
    expect((await topics()).user_topics).toMatchObject([{ topic_name: 'both', visibility_policy: MUTED }]);
    expect(await mute('both')).toMatchObject(error('Topic already muted'));
    expect(await mute('both', 'remove')).toMatchObject(success);
    expect((await topics()).user_topics).toEqual([]);
  });

  test('Unknown policies and streams that the user cannot see are refused', async () => {
    const hidden = await idOf('leadership');
    expect(await set('x', 4)).toMatchObject(error('Invalid visibility_policy'));
    for (const id of [hidden, 999_999]) {
      expect(await set('x', MUTED, id)).toMatchObject(error('Invalid stream id'));
      expect(await set('x', NONE, id)).toMatchObject(error('Invalid stream id'));
    }
    expect(await set('x'.repeat(61), MUTED)).toMatchObject(error('Topic is too long (limit: 60 characters)'));
  });

  test('A policy can be taken back in a stream that the user was removed from', async () => {
    const subscriptions = [{ name: 'leadership' }];
    await owner.post('/users/me/subscriptions', { subscriptions, principals: [member.email] });
    const id = await idOf('leadership');
    expect(await set('secret', MUTED, id)).toMatchObject(success);
    await member.del('/users/me/subscriptions', { subscriptions: ['leadership'] });
    expect(await set('secret', FOLLOWED, id)).toMatchObject(error('Invalid stream id'));
    expect(await set('secret', NONE, id)).toMatchObject(success);
    expect((await topics()).user_topics).toEqual([]);
  });
});

test('Unmuted and followed topics of a muted stream count as unread, and in:home shows them', async () => {
  const send = async (topic: string): Promise<number> =>
    (await owner.post('/messages', { type: 'stream', to: 'test', topic, content: 'x' })).body.id;
  const [plain, unmuted, followed, muted] = [await send('p'), await send('u'), await send('f'), await send('m')];
  await member.patch(`/users/me/subscriptions/${stream}`, { property: 'is_muted', value: true });
  for (const [topic, policy] of [
    ['u', UNMUTED],
    ['f', FOLLOWED],
    ['m', MUTED],
  ] as const)
    await set(topic, policy!);
  const narrow = [{ operator: 'in', operand: 'home' }];
  const { messages } = (await member.get('/messages', { anchor: 0, num_before: 0, num_after: 500, narrow })).body;
  const ids = messages.map(({ id }: { id: number }) => id);
  expect(ids).toEqual(expect.arrayContaining([unmuted, followed]));
  expect(ids).not.toContain(plain);
  expect(ids).not.toContain(muted);
  const count = async () => (await member.post('/register', {})).body.unread_msgs.count as number;
  const before = await count();
  await set('u', NONE);
  expect(await count()).toBe(before - 1);
});

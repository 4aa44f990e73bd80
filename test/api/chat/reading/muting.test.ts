import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;
let guest: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member, guest] = (await Promise.all(['owner', 'member', 'guest'].map((name) => userOf(node, name)))) as [
    TestUser,
    TestUser,
    TestUser,
  ];
});
afterAll(() => cluster.close());

const MUTED = '/users/me/subscriptions/muted_topics';
const PROPERTIES = '/users/me/subscriptions/properties';
const error = (msg: string, more: object = {}) => ({ status: 400, body: { result: 'error', msg, ...more } });
const success = { status: 200, body: { result: 'success', msg: '' } };
const idOf = async (name: string) => (await node.kernel.mysql('chat_streams').where({ name }).first('id')).id as number;

describe('Muted topics', () => {
  const mute = (by: TestUser, fields: object) => by.patch(MUTED, { op: 'add', topic: 'dinner', ...fields });
  const unmute = (by: TestUser, fields: object) => by.patch(MUTED, { op: 'remove', topic: 'dinner', ...fields });

  test('A topic is muted once, by stream name or id in any case, and the whole list is published', async () => {
    const listen = await member.listen(['muted_topics']);
    expect(await mute(member, { stream: 'test' })).toMatchObject(success);
    const again = await mute(member, { stream_id: await idOf('test'), topic: 'DINNER' });
    expect(again).toMatchObject(error('Topic already muted'));
    expect(again.body).not.toHaveProperty('code');
    await mute(member, { stream: 'general', topic: ' lunch ' });
    expect(await unmute(member, { stream_id: await idOf('test'), topic: 'Dinner' })).toMatchObject(success);
    const over = await unmute(member, { stream: 'test' });
    expect(over).toMatchObject(error('Topic is not muted'));
    expect(over.body).not.toHaveProperty('code');
    expect(await listen()).toEqual([
      { type: 'muted_topics', muted_topics: [['test', 'dinner']] },
      {
        type: 'muted_topics',
        muted_topics: [
          ['general', 'lunch'],
          ['test', 'dinner'],
        ],
      },
      { type: 'muted_topics', muted_topics: [['general', 'lunch']] },
    ]);
  });

  test('Muting a topic needs exactly one stream parameter, a topic and an operation', async () => {
    const bad = { code: 'BAD_REQUEST' };
    expect(await mute(member, {})).toMatchObject(error("Please supply 'stream'.", bad));
    expect(await mute(member, { stream: 'test', stream_id: 1 })).toMatchObject(
      error("Please choose one: 'stream' or 'stream_id'.", bad),
    );
    expect(await member.patch(MUTED, { stream: 'test', op: 'add' })).toMatchObject(error("Missing 'topic' argument"));
    expect(await member.patch(MUTED, { stream: 'test', topic: 'x' })).toMatchObject(error("Missing 'op' argument"));
    expect(await mute(member, { stream: 'test', op: 'toggle' })).toMatchObject(error("Bad value for 'op': toggle"));
    expect(await mute(member, { stream_id: 'x' })).toMatchObject(error('Argument "stream_id" is not valid JSON.', bad));
    expect(await mute(member, { stream_id: '"x"' })).toMatchObject(error('stream_id is not an integer', bad));
    expect(await mute(member, { stream: 'test', topic: 'x'.repeat(61) })).toMatchObject(
      error('Topic is too long (limit: 60 characters)', bad),
    );
  });

  test('Muting needs a visible stream, and unmuting reveals nothing about hidden ones', async () => {
    const leadership = await idOf('leadership');
    for (const by of [member, guest]) {
      expect(await mute(by, { stream: 'leadership' })).toMatchObject(error("Invalid stream name 'leadership'"));
      expect(await mute(by, { stream_id: leadership })).toMatchObject(error('Invalid stream id'));
      for (const stream of ['leadership', 'nowhere']) {
        expect(await unmute(by, { stream })).toMatchObject(error('Topic is not muted'));
      }
      expect(await unmute(by, { stream_id: 999_999 })).toMatchObject(error('Topic is not muted'));
    }
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'leadership' }],
      principals: [member.email],
    });
    expect(await mute(member, { stream: 'leadership' })).toMatchObject(success);
    await member.del('/users/me/subscriptions', { subscriptions: ['leadership'] });
    expect(await unmute(member, { stream: 'leadership' })).toMatchObject(success);
  });

  test('Concurrent requests to mute one topic succeed once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => mute(member, { stream: 'test', topic: 'same time' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  });
});

describe('Subscription settings', () => {
  const own = async (name: string) =>
    (await member.get('/users/me/subscriptions')).body.subscriptions.find(
      (each: { name: string }) => each.name === name,
    );

  test('Subscription settings are set together and published to the user alone', async () => {
    const id = await idOf('test');
    const listen = await member.listen(['subscription']);
    const silence = await owner.listen(['subscription']);
    const changes = [
      { stream_id: id, property: 'color', value: '#Abc' },
      { stream_id: id, property: 'is_muted', value: true },
      { stream_id: id, property: 'pin_to_top', value: true },
      { stream_id: id, property: 'push_notifications', value: true },
      { stream_id: id, property: 'wildcard_mentions_notify', value: false },
    ];
    const { body } = await member.post(PROPERTIES, { subscription_data: changes });
    expect(body).toEqual({ result: 'success', msg: '', subscription_data: changes });
    expect(await own('test')).toMatchObject({
      color: '#Abc',
      is_muted: true,
      in_home_view: false,
      pin_to_top: true,
      push_notifications: true,
      wildcard_mentions_notify: false,
    });
    await member.post(PROPERTIES, {
      subscription_data: [{ stream_id: id, property: 'in_home_view', value: true }],
    });
    expect(await own('test')).toMatchObject({ is_muted: false, in_home_view: true });
    const about = { type: 'subscription', op: 'update', email: member.email, stream_id: id, name: 'test' };
    expect(await listen()).toEqual([
      { ...about, property: 'color', value: '#Abc' },
      { ...about, property: 'in_home_view', value: false },
      { ...about, property: 'pin_to_top', value: true },
      { ...about, property: 'push_notifications', value: true },
      { ...about, property: 'wildcard_mentions_notify', value: false },
      { ...about, property: 'in_home_view', value: true },
    ]);
    expect(await silence()).toEqual([]);
  });

  test('A batch of subscription settings with one invalid entry is refused as a whole', async () => {
    const id = await idOf('general');
    const set = (...subscription_data: object[]) => member.post(PROPERTIES, { subscription_data });
    const good = { stream_id: id, property: 'pin_to_top', value: true };
    expect(await set(good, { ...good, property: 'mood' })).toMatchObject(error('Unknown subscription property: mood'));
    expect(await set(good, { ...good, property: 'constructor' })).toMatchObject(
      error('Unknown subscription property: constructor'),
    );
    expect((await own('general')).pin_to_top).toBe(false);
    expect(await set({ ...good, value: 'yes' })).toMatchObject(error('pin_to_top is not a boolean'));
    expect(await set({ ...good, property: 'color', value: 'red' })).toMatchObject(
      error('color is not a valid hex color code'),
    );
    expect(await set({ ...good, property: 'color', value: true })).toMatchObject(error('color is not a string'));
    expect(await set({ ...good, stream_id: 999_999 })).toMatchObject(error('Invalid stream id'));
    expect(await set({ stream_id: id, property: 'color' })).toMatchObject(
      error('value key is missing from subscription_data[0]'),
    );
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'strange' }] });
    const strange = await idOf('strange');
    expect(await set({ ...good, stream_id: strange })).toMatchObject(error(`Not subscribed to stream id ${strange}`));
  });

  test('A single subscription setting is changed by the stream id in the path', async () => {
    const path = `/users/me/subscriptions/${await idOf('general')}`;
    expect(await member.patch(path, { property: 'pin_to_top', value: true })).toMatchObject(success);
    expect(await member.patch(path, { property: 'color', value: '#fff' })).toMatchObject(success);
    expect(await own('general')).toMatchObject({ pin_to_top: true, color: '#fff' });
    expect(await member.patch(path, { property: 'color' })).toMatchObject(error("Missing 'value' argument"));
  });
});

import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';

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
const TYPES = ['stream', 'subscription'];
const add = (by: TestUser, names: string[], more: object = {}) =>
  by.post(PATH, { subscriptions: names.map((name) => ({ name })), ...more });
const everyone = () => Promise.all([owner, member, other, guest].map((user) => user.listen(TYPES)));
const subscribedBy = async (listeners: Awaited<ReturnType<typeof everyone>>) => {
  const [ofOwner, ofMember, ofOther, ofGuest] = await Promise.all(listeners.map((listen) => listen()));
  return { owner: ofOwner!, member: ofMember!, other: ofOther!, guest: ofGuest! };
};
const stream = (name: string, more: object = {}) => ({
  name,
  stream_id: expect.any(Number),
  description: '',
  rendered_description: '',
  invite_only: false,
  is_web_public: false,
  is_announcement_only: false,
  history_public_to_subscribers: true,
  first_message_id: null,
  is_archived: false,
  folder_id: null,
  ...more,
});
/** A new stream gets a notice about its creation, so it soon has a first message. */
const OLD = { first_message_id: expect.any(Number) };
const PRIVATE = { invite_only: true, history_public_to_subscribers: false };
const streamEvent = (op: string, streams: object[]) => ({ type: 'stream', op, streams });
const peer = (op: string, name: string, user: TestUser) => ({
  type: 'subscription',
  op,
  subscriptions: [name],
  user_id: user.id,
});

describe('Subscribing', () => {
  test('A new public stream publishes create, then add to its subscribers and peer_add to the others', async () => {
    const listeners = await everyone();
    await add(member, ['Paris'], { principals: [member.email, guest.email] });
    const heard = await subscribedBy(listeners);
    const joined = (color: string) => ({
      type: 'subscription',
      op: 'add',
      subscriptions: [
        {
          ...stream('Paris'),
          subscribers: [member.id, guest.id],
          color,
          is_muted: false,
          in_home_view: true,
          pin_to_top: false,
          desktop_notifications: false,
          audible_notifications: false,
          push_notifications: false,
          email_notifications: false,
          wildcard_mentions_notify: true,
          email_address: '',
          is_recently_active: true,
          is_old_stream: false,
          stream_weekly_traffic: null,
        },
      ],
    });
    const created = streamEvent('create', [stream('Paris')]);
    const peers = [peer('peer_add', 'Paris', member), peer('peer_add', 'Paris', guest)];
    expect(heard.owner).toEqual([created, ...peers]);
    expect(heard.other).toEqual([created, ...peers]);
    expect(heard.member).toEqual([created, joined(expect.stringMatching(/^#/))]);
    expect(heard.guest).toEqual([created, joined(expect.stringMatching(/^#/))]);
  });

  test('A subscription to an existing stream is published to members, and to guests who are subscribed', async () => {
    const listeners = await everyone();
    await add(other, ['Paris', 'Lyon']);
    const heard = await subscribedBy(listeners);
    expect(heard.member).toEqual([
      streamEvent('create', [stream('Lyon')]),
      peer('peer_add', 'Paris', other),
      peer('peer_add', 'Lyon', other),
    ]);
    expect(heard.guest).toEqual([peer('peer_add', 'Paris', other)]);
    expect(heard.other[1]).toMatchObject({ op: 'add', subscriptions: [{ name: 'Paris' }, { name: 'Lyon' }] });
  });

  test('A subscription to a private stream is published to its subscribers and administrators', async () => {
    const listeners = await everyone();
    await add(member, ['vault'], { invite_only: true });
    await add(member, ['vault'], { principals: [guest.email] });
    const heard = await subscribedBy(listeners);
    const vault = stream('vault', { ...PRIVATE, first_message_id: null });
    expect(heard.owner).toEqual([
      streamEvent('create', [vault]),
      peer('peer_add', 'vault', member),
      peer('peer_add', 'vault', guest),
    ]);
    expect(heard.other).toEqual([]);
    expect(heard.member).toMatchObject([
      streamEvent('create', [vault]),
      { op: 'add', subscriptions: [{ name: 'vault', subscribers: [member.id] }] },
      peer('peer_add', 'vault', guest),
    ]);
    expect(heard.guest).toMatchObject([
      streamEvent('create', [{ ...vault, ...OLD }]),
      { op: 'add', subscriptions: [{ name: 'vault', subscribers: [member.id, guest.id] }] },
    ]);
  });

  test('Subscribing again to a subscribed stream publishes nothing', async () => {
    const listeners = await everyone();
    await add(member, ['Paris', 'vault']);
    expect(await subscribedBy(listeners)).toEqual({ owner: [], member: [], other: [], guest: [] });
  });
});

describe('Unsubscribing', () => {
  test('An unsubscription is published to the user and to everyone who can see the stream', async () => {
    const listeners = await everyone();
    await member.del(PATH, { subscriptions: ['Paris', 'vault'] });
    const heard = await subscribedBy(listeners);
    expect(heard.member).toEqual([
      {
        type: 'subscription',
        op: 'remove',
        subscriptions: [
          { name: 'Paris', stream_id: expect.any(Number) },
          { name: 'vault', stream_id: expect.any(Number) },
        ],
      },
    ]);
    expect(heard.other).toEqual([peer('peer_remove', 'Paris', member)]);
    const both = [peer('peer_remove', 'Paris', member), peer('peer_remove', 'vault', member)];
    expect(heard.guest).toEqual(both);
    expect(heard.owner).toEqual(both);
  });

  test('The last unsubscription vacates a public stream, and the next subscription occupies it', async () => {
    const listeners = await everyone();
    await other.del(PATH, { subscriptions: ['Lyon'] });
    await add(member, ['Lyon']);
    const heard = await subscribedBy(listeners);
    expect(heard.owner).toEqual([
      peer('peer_remove', 'Lyon', other),
      streamEvent('vacate', [stream('Lyon', OLD)]),
      streamEvent('occupy', [stream('Lyon', OLD)]),
      peer('peer_add', 'Lyon', member),
    ]);
    expect(heard.guest).toEqual([]);
  });

  test('The last unsubscription from a private stream deletes it', async () => {
    const listeners = await everyone();
    await guest.del(PATH, { subscriptions: ['vault'] });
    const heard = await subscribedBy(listeners);
    const gone = streamEvent('delete', [stream('vault', { ...PRIVATE, ...OLD })]);
    expect(heard.guest).toMatchObject([{ op: 'remove' }, gone]);
    expect(heard.owner).toEqual([peer('peer_remove', 'vault', guest), gone]);
    expect(heard.other).toEqual([]);
    expect((await add(other, ['vault'])).body.subscribed).toEqual({ [other.email]: ['vault'] });
  });
});

describe('Bulk subscriptions', () => {
  test('Subscribing many users takes a constant number of statements, in batches that fit a packet', async () => {
    const crowd = [];
    for (let index = 0; index < 12; index += 1) crowd.push((await newUser(node, `crowd${index}`)).email);
    const countOnce = async (name: string, principals: string[]) => {
      let statements = 0;
      const count = ({ sql }: { sql: string }) => void (statements += sql.includes('kernel_outbox` set') ? 0 : 1);
      node.kernel.mysql.on('query', count);
      const { body } = await add(member, [name], { principals });
      node.kernel.mysql.removeListener('query', count);
      expect(Object.keys(body.subscribed)).toHaveLength(principals.length);
      return statements;
    };
    await countOnce('warm', crowd.slice(0, 1));
    const few = await countOnce('few', crowd.slice(0, 2));
    // One more for each of the ten others would be ten more. A few of the sweeper's may come in between.
    expect(await countOnce('many', crowd)).toBeLessThan(few + 6);
    const names = Array.from({ length: 60 }, (_, index) => `wide ${index}`);
    const { body } = await add(member, names, { principals: crowd });
    expect(Object.keys(body.subscribed)).toHaveLength(12);
    expect(body.subscribed[crowd[11]!]).toEqual(names);
    const gone = await owner.del(PATH, { subscriptions: names, principals: crowd });
    expect(gone.body.removed).toHaveLength(720);
    const secret = await add(member, ['wide secret', ...names.slice(1)], { invite_only: true, principals: crowd });
    expect(Object.keys(secret.body.subscribed)).toHaveLength(12);
  });
});

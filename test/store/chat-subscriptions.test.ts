import { lastMessageId } from '../../src/chat/store/streams/receptions';
import { getRealm } from '../../src/chat/queries/organisation/find-realm';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { newUser, userOf, type TestUser } from '../support/chat/chat';
import { chatOf } from '../support/kernel/parts';

let cluster: Cluster;
let nodes: TestNode[];
let users: TestUser[];
let owner: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
  owner = await userOf(nodes[0]!, 'owner');
  users = await Promise.all(Array.from({ length: 5 }, (_, index) => newUser(nodes[index % 2]!, `storm${index}`)));
});
afterAll(() => cluster.close());

const NAMES = ['alpha', 'beta', 'gamma', 'delta'];
const some = <T>(items: readonly T[]): T[] => {
  const picked = items.filter(() => Math.random() < 0.6).sort(() => Math.random() - 0.5);
  return picked.length === 0 ? [items[0]!] : picked;
};

test('Concurrent changes of the same subscriptions end without errors and with consistent rows', async () => {
  const db = nodes[0]!.kernel.mysql;
  const principals = () => some(users).map(({ email }) => email);
  const storm = async (index: number) => {
    for (let round = 0; round < 2; round += 1) {
      const path = '/users/me/subscriptions';
      const answer =
        (index + round) % 2 === 0
          ? await owner.post(path, {
              subscriptions: some(NAMES).map((name) => ({ name })),
              principals: principals(),
            })
          : await owner.del(path, { subscriptions: some(NAMES), principals: principals() });
      // A message may be sent before the streams are created.
      if (answer.body.code !== 'STREAM_DOES_NOT_EXIST') expect(answer).toMatchObject({ status: 200 });
      // Numbers keep increasing meanwhile; whether this one finds the stream idle does not matter here.
      if (index % 4 === 0) await owner.post('/messages', { type: 'stream', to: NAMES[0], topic: 't', content: 'x' });
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => storm(index)));

  const streams = (await db('chat_streams').whereIn('name', NAMES)) as { id: number; name: string }[];
  expect(streams).toHaveLength(NAMES.length);
  const { id: realmId } = await getRealm(chatOf(nodes[0]!.kernel));
  const last = await lastMessageId(db, realmId);
  for (const user of users) {
    const { body } = await user.get('/users/me/subscriptions');
    const shown = new Set(body.subscriptions.map(({ stream_id: id }: { stream_id: number }) => id));
    for (const { id } of streams) {
      const row = await db('chat_subscriptions').where({ user_id: user.id, recipient_id: id }).first();
      expect(shown.has(id)).toBe(row?.is_active === 1);
      const ranges = await db('chat_receptions').where({ user_id: user.id, recipient_id: id }).orderBy('from_id');
      let before = 0;
      // Received messages are stored as ranges that do not touch each other, and the open range comes last.
      for (const { from_id: from, to_id: to } of ranges) {
        expect(from).toBeGreaterThan(before);
        expect(to).toBeGreaterThanOrEqual(from);
        before = to;
      }
      if (row?.is_active === 1) expect(row.from_id).toBeGreaterThan(before);
      if (row) expect(row.from_id).toBeLessThanOrEqual(last + 1);
    }
  }
});

test('The subscription events of an event queue lead to the same subscribers as the rows', async () => {
  const [watcher] = users as [TestUser];
  const listen = await owner.listen(['subscription', 'stream']);
  const ids = new Map(
    ((await nodes[0]!.kernel.mysql('chat_streams').whereIn('name', NAMES)) as { id: number; name: string }[]).map(
      ({ id, name }) => [name, id],
    ),
  );
  const members = async (name: string) =>
    new Set((await owner.get(`/streams/${ids.get(name)}/members`)).body.subscribers as string[]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const state = new Map(await Promise.all(NAMES.map(async (name) => [name, await members(name)] as const)));
  await Promise.all(
    users.slice(1).map(async (user) => {
      for (let round = 0; round < 4; round += 1) {
        const path = '/users/me/subscriptions';
        await (round % 2 === 0
          ? user.post(path, { subscriptions: NAMES.map((name) => ({ name })) })
          : user.del(path, { subscriptions: some(NAMES) }));
      }
    }),
  );
  expect(watcher.id).toBeGreaterThan(0);
  for (const event of await listen()) {
    const email = emails.get(event['user_id'])!;
    for (const name of event['subscriptions'] ?? []) {
      if (event['op'] === 'peer_add') state.get(name)!.add(email);
      if (event['op'] === 'peer_remove') state.get(name)!.delete(email);
    }
  }
  for (const name of NAMES) expect([...state.get(name)!].sort()).toEqual([...(await members(name))].sort());
});

import type { Chat } from '../../../../src/chat/parts';
import type { Party } from '../../../../src/kernel/admission/gate';
import { flood } from '../../../support/http/flood';
import { until } from '../../../support/until';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

/** More connections than a user may have registrations that wait. */
const CROWD = 550;

let cluster: Cluster;
let node: TestNode;
let admin: Record<string, string>;

beforeAll(async () => {
  // Long, so that only the registrations are counted.
  cluster = await openCluster({ RATE_LIMIT: 'off', SWEEP_INTERVAL_MS: '600000' });
  await cluster.seed();
  node = await cluster.node();
  admin = await node.basic('owner@example.com');
});
afterAll(() => cluster.close());

const register = (at = node) =>
  at.call('/api/v1/register', { method: 'POST', form: { include_subscribers: 'true' }, headers: admin });
const post = (path: string, form: Record<string, string>) => node.call(`/api/v1${path}`, { form, headers: admin });

async function roundTrips(): Promise<number> {
  // The outbox may still be marking recent events as published.
  await node.kernel.outbox.settle();
  let count = 0;
  const add = () => (count += 1);
  node.kernel.mysql.on('query', add);
  await register();
  node.kernel.mysql.off('query', add);
  return count;
}

/** The host of an organisation is sometimes looked up too. */
const fewest = async () => Math.min(await roundTrips(), await roundTrips(), await roundTrips());

test('Registration is exempt from the rate limit of other requests', async () => {
  const strict = await cluster.node({ RATE_LIMIT: '60:3' });
  for (let times = 0; times < 8; times += 1) expect((await register(strict)).status).toBe(200);
  const profile = () => strict.call('/api/v1/users/me', { headers: admin });
  expect((await Promise.all(Array.from({ length: 5 }, profile))).some(({ status }) => status === 429)).toBe(true);
});

/** Adds one more of everything that a registration returns. */
async function grow(at: number): Promise<void> {
  const [name, user] = [`stream ${at}`, { email: `u${at}@example.com`, full_name: `User ${at}` }];
  await post('/users', { ...user, password: 'plain words of nobody', short_name: 'u' });
  await post('/bots', { full_name: `Bot ${at}`, short_name: `bot${at}`, bot_type: '1' });
  await post('/user_groups/create', { name: `group ${at}`, description: '', members: '[]' });
  await post('/users/me/alert_words', { alert_words: JSON.stringify([`word ${at}`]) });
  await post('/users/me/subscriptions', { subscriptions: JSON.stringify([{ name }]) });
  await post('/messages', { type: 'stream', to: name, topic: name, content: 'hello' });
  await post('/messages', { type: 'private', to: user.email, content: 'welcome' });
}

test('Registration takes at most eight MySQL round trips, however much state it returns', async () => {
  await grow(0);
  await register();
  const before = await fewest();
  for (const at of [1, 2, 3, 4]) await grow(at);
  const { body } = await register();
  expect([body.realm_users.length, body.realm_bots.length, body.subscriptions.length]).toEqual([16, 7, 9]);
  expect(body.recent_private_conversations).toHaveLength(5);
  expect(await fewest()).toBe(before);
  expect(before).toBeLessThanOrEqual(8);
});

test('A crowd of registrations of one guest runs one after the other, and others go in between', async () => {
  const guest = await node.basic('guest@example.com');
  const { user_id: guestId } = (await node.call('/api/v1/users/me', { headers: guest })).body;
  const { registrations } = node.open.find(({ product }) => product.name === 'chat')!.parts as Chat;
  const through = registrations.through.bind(registrations);
  const counts = { arrived: 0, inside: 0, most: 0 };
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  /** Registrations of the guest go on only when the test says so. */
  const slowly =
    <T>(work: () => Promise<T>) =>
    async () => {
      counts.inside += 1;
      counts.most = Math.max(counts.most, counts.inside);
      await held;
      return work().finally(() => (counts.inside -= 1));
    };
  const isGuest = ({ caller }: Party) => caller === String(guestId);
  const spy = jest.spyOn(registrations, 'through').mockImplementation((party, work) => {
    if (!isGuest(party)) return through(party, work);
    counts.arrived += 1;
    return through(party, slowly(work));
  });
  let left = CROWD;
  const headers = { ...guest, 'Content-Length': '0' };
  const crowd = flood({ port: node.port, connections: CROWD }, () => {
    left -= 1;
    return left < 0 ? undefined : { path: '/api/v1/register', method: 'POST', headers };
  });
  await until(() => counts.arrived === CROWD);
  // All of the guest's registrations are held, and nobody waits for them.
  for (const email of ['owner', 'member', 'other']) {
    const others = await node.basic(`${email}@example.com`);
    expect((await node.call('/api/v1/register', { method: 'POST', headers: others })).status).toBe(200);
  }
  expect(counts).toEqual({ arrived: CROWD, inside: 1, most: 1 });
  letGo();
  const answers = await crowd;
  expect(counts.most).toBe(1);
  expect(Object.keys(answers).filter((status) => status !== '200' && status !== '503')).toEqual([]);
  spy.mockRestore();
});

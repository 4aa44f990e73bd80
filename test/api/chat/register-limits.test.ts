import { openCluster, type Cluster, type TestNode } from '../../support/cluster';

let cluster: Cluster;
let node: TestNode;
let admin: Record<string, string>;

beforeAll(async () => {
  // Long, so that nothing but the registrations is counted.
  cluster = await openCluster({ RATE_LIMIT: 'off', SWEEP_INTERVAL_MS: '600000' });
  await cluster.seed();
  node = await cluster.node();
  admin = await node.basic('owner@example.com');
});
afterAll(() => cluster.close());

const register = (at = node) =>
  at.call('/api/v1/register', { method: 'POST', form: { include_subscribers: 'true' }, headers: admin });
const post = (path: string, form: Record<string, string>) => node.call(`/api/v1${path}`, { form, headers: admin });

async function statements(): Promise<number> {
  // The outbox may still be marking recent events as published.
  await node.kernel.outbox.settle();
  let count = 0;
  const add = () => (count += 1);
  node.kernel.mysql.on('query', add);
  await register();
  node.kernel.mysql.off('query', add);
  return count;
}

/** Where an organisation is, is looked up now and then besides. */
const fewest = async () => Math.min(await statements(), await statements(), await statements());

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

test('Registration takes the same number of MySQL statements however much state it returns', async () => {
  await grow(0);
  await register();
  const before = await fewest();
  for (const at of [1, 2, 3, 4]) await grow(at);
  const { body } = await register();
  expect([body.realm_users.length, body.realm_bots.length, body.subscriptions.length]).toEqual([16, 7, 9]);
  expect(body.recent_private_conversations).toHaveLength(5);
  expect(await fewest()).toBe(before);
});

/** Events beside the log: in order with its numbered events, at rising positions, without a commit. */
import { tenantOf, type Tenant } from '../../../src/kernel/actor/address';
import { LogFollower, type FollowedEvent } from '../../../src/kernel/event-log/follower';
import { logEvent } from '../../../src/kernel/event-log/log-publisher';
import { numberAt, positionOf, ROOM } from '../../../src/kernel/event-log/position';
import { lastBeside, logInRedis } from '../../../src/kernel/event-log/sources';
import type { Kernel } from '../../../src/kernel/kernel';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { until } from '../../support/until';

let cluster: Cluster;
let kernel: Kernel;
const followers: LogFollower[] = [];

beforeAll(async () => {
  cluster = await openCluster({ SWEEP_INTERVAL_MS: '60000' });
  kernel = await cluster.kernel();
});
afterEach(async () => {
  await Promise.all(followers.splice(0).map((each) => each.close()));
});
afterAll(() => cluster.close());

const commit = (tenant: Tenant, body: string, by = kernel) =>
  by.transaction((tx) => Promise.resolve(tx.deliver(logEvent(tenant, body))));

/** Collects what the follower of a log delivers: `number.index body`. */
async function follow(tenant: Tenant): Promise<string[]> {
  const delivered: string[] = [];
  const note = (event: FollowedEvent) =>
    delivered.push(`${event.number}.${'index' in event ? event.index : 0} ${event.body}`);
  const follower = new LogFollower(kernel, logInRedis(kernel, tenant), (events) => events.forEach(note));
  followers.push(follower);
  await follower.open();
  return delivered;
}

const outboxRows = async (tenant: Tenant) =>
  ((await kernel.mysql('kernel_outbox').where({ tenant }).count({ rows: '*' })) as [{ rows: number }])[0].rows;

test('Events beside the log are delivered in order with numbered events, and nothing of them is stored', async () => {
  const tenant = tenantOf('test', 'beside');
  await commit(tenant, 'one');
  await until(async () => (await logInRedis(kernel, tenant).head()) === 1);
  const delivered = await follow(tenant);
  await kernel.ephemera.push(tenant, 'a');
  await kernel.ephemera.push(tenant, 'b');
  await commit(tenant, 'two');
  await kernel.ephemera.push(tenant, 'c');
  await until(() => delivered.length === 4);
  expect(delivered).toEqual(['1.1 a', '1.2 b', '2.0 two', '2.1 c']);
  expect(await outboxRows(tenant)).toBe(2);
  expect((await logInRedis(kernel, tenant).after(0)).events.map(({ body }) => body)).toEqual(['one', 'two']);
});

test('An event beside the log that overtakes a numbered event is delivered after it', async () => {
  const tenant = tenantOf('test', 'beside-early');
  await commit(tenant, 'one');
  await until(async () => (await logInRedis(kernel, tenant).head()) === 1);
  const source = logInRedis(kernel, tenant);
  const delivered: string[] = [];
  let receive: Parameters<typeof source.listen>[0]['receive'] = () => {};
  const follower = new LogFollower(
    kernel,
    { ...source, listen: (listener) => Promise.resolve(((receive = listener.receive), () => {})) },
    (events) => delivered.push(...events.map(({ body }) => body)),
  );
  followers.push(follower);
  await follower.open();
  await commit(tenant, 'two');
  await until(async () => (await source.head()) === 2);
  // The push of `two` was lost.
  receive({ number: 2, index: 1, body: 'after two' });
  expect(delivered).toEqual([]);
  await until(() => delivered.length === 2);
  expect(delivered).toEqual(['two', 'after two']);
  receive({ number: 1, index: 1, body: 'too late' });
  expect(delivered).toHaveLength(2);
});

test('A push can be asked to exceed a position that clients have already seen', async () => {
  const tenant = tenantOf('test', 'beside-exceeded');
  await commit(tenant, 'one');
  await until(async () => (await logInRedis(kernel, tenant).head()) === 1);
  await kernel.ephemera.push(tenant, 'a', positionOf(1, 40));
  expect(await lastBeside(kernel, tenant)).toBe(positionOf(1, 41));
  await kernel.ephemera.push(tenant, 'b');
  expect(await lastBeside(kernel, tenant)).toBe(positionOf(1, 42));
});

test('An event for which there is no room before the next number is committed', async () => {
  const tenant = tenantOf('test', 'beside-full');
  await commit(tenant, 'one');
  await until(async () => (await logInRedis(kernel, tenant).head()) === 1);
  const delivered = await follow(tenant);
  await kernel.ephemera.push(tenant, 'last', positionOf(1, ROOM - 2));
  await kernel.ephemera.push(tenant, 'committed');
  await kernel.ephemera.push(tenant, 'next');
  await until(() => delivered.length === 3);
  expect(delivered).toEqual([`1.${ROOM - 1} last`, '2.0 committed', '2.1 next']);
  expect(numberAt(positionOf(1, ROOM - 1))).toBe(1);
});

test('A Redis without the log is told where it continues, and the event is pushed', async () => {
  const tenant = tenantOf('test', 'beside-unknown');
  await kernel.mysql('kernel_counters').insert({ tenant, event_number: 7 });
  await kernel.ephemera.push(tenant, 'a');
  expect(await logInRedis(kernel, tenant).head()).toBe(7);
  const delivered = await follow(tenant);
  await kernel.ephemera.push(tenant, 'b');
  await until(() => delivered.length > 0);
  expect(delivered).toEqual(['7.2 b']);
});

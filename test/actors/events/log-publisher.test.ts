import { redisKey, tenantOf, type Tenant } from '../../../src/kernel/actor/address';
import { encodeRow } from '../../../src/kernel/event-log/codec';
import { eventChannel, eventLog } from '../../../src/kernel/event-log/event-log';
import { LogFollower } from '../../../src/kernel/event-log/follower';
import { LOG_PUBLISHER, LogPublisher } from '../../../src/kernel/event-log/log-publisher';
import { logInRedis } from '../../../src/kernel/event-log/sources';
import type { Kernel } from '../../../src/kernel/kernel';
import { channelName } from '../../../src/kernel/redis/channel';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { entriesOf } from '../../support/kernel/log-entries';
import { until } from '../../support/until';

let cluster: Cluster;
let kernel: Kernel;

beforeAll(async () => {
  cluster = await openCluster({ SWEEP_INTERVAL_MS: '60000' });
  kernel = await cluster.kernel();
});
afterAll(() => cluster.close());

const rowOf = (tenant: Tenant, number: number) => ({ id: number, publisher: LOG_PUBLISHER, tenant, number, body: 'x' });

test('A publisher keeps no state of a tenant once all its events are published', async () => {
  const publisher = new LogPublisher(kernel);
  const tenants = Array.from({ length: 30 }, (_, at) => tenantOf('test', `many-${at}`));
  await Promise.all(tenants.map((tenant) => eventLog.at(tenant).request(kernel, 'begin', 0)));
  // Some join a batch that is under way.
  const batches = [1, 2, 3].map((number) => publisher.publish(tenants.map((tenant) => rowOf(tenant, number))));
  expect(publisher.size).toBeLessThanOrEqual(30);
  await Promise.all(batches);
  expect(publisher.size).toBe(0);
  expect(await entriesOf(kernel, tenants[7]!)).toEqual(['1 x', '2 x', '3 x']);
});

test('A publisher keeps no state of a tenant whose events could not be published', async () => {
  const publisher = new LogPublisher(kernel);
  const tenant = tenantOf('test', 'refused');
  await kernel.redis.commands.set(
    `${redisKey(kernel.namespace, { tenant, kind: eventLog.kind, id: '' })}:rows`,
    'no stream',
  );
  await eventLog.at(tenant).request(kernel, 'begin', 0);
  await expect(publisher.publish([rowOf(tenant, 1)])).rejects.toThrow();
  expect(publisher.size).toBe(0);
});

test('A follower skips events of an unknown version, and logs that once', async () => {
  const tenant = tenantOf('test', 'versions');
  const key = redisKey(kernel.namespace, { tenant, kind: eventLog.kind, id: '' });
  const channel = channelName(kernel.namespace, eventChannel(tenant));
  const warn = jest.spyOn(kernel.log, 'warn');
  await eventLog.at(tenant).request(kernel, 'begin', 0);
  const heard: string[] = [];
  const follower = new LogFollower(kernel, logInRedis(kernel, tenant), (events) => {
    for (const { number, body } of events) heard.push(`${number} ${body}`);
  });
  await follower.open();
  const row = (number: number) => ({ number, events: 1, first_record: null, body: 'x' });
  // The second is as a later release writes it.
  for (const [number, text] of [encodeRow(row(1)), 'v9 2 1  x', encodeRow(row(3))].entries()) {
    await kernel.redis.commands.xadd(`${key}:rows`, String(number + 1), 'row', text);
    await kernel.redis.commands.set(key, String(number + 1));
    await kernel.redis.commands.publish(channel, text);
  }
  await until(() => heard.length === 2);
  expect(heard).toEqual(['1 x', '3 x']);
  expect(follower.head).toBe(3);
  expect(warn.mock.calls.filter(([, text]) => String(text).includes('version'))).toHaveLength(1);
  warn.mockRestore();
  await follower.close();
});

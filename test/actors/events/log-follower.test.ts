import { redisKey, tenantOf, type Tenant } from '../../../src/kernel/actor/address';
import { eventChannel, eventLog } from '../../../src/kernel/event-log/event-log';
import { LogFollower } from '../../../src/kernel/event-log/follower';
import { logEvent } from '../../../src/kernel/event-log/log-publisher';
import { logInRedis } from '../../../src/kernel/event-log/sources';
import type { Kernel } from '../../../src/kernel/kernel';
import { channelName } from '../../../src/kernel/redis/channel';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { until } from '../../support/until';

let cluster: Cluster;
let one: Kernel;
let two: Kernel;

beforeAll(async () => {
  cluster = await openCluster();
  one = await cluster.kernel();
  two = await cluster.kernel();
});
afterAll(() => cluster.close());

const send = (tenant: Tenant, body: string) => two.transaction(async (tx) => tx.deliver(logEvent(tenant, body)));

async function follow(tenant: Tenant) {
  const heard: string[] = [];
  const follower = new LogFollower(one, logInRedis(one, tenant), (events) => {
    for (const { number, body } of events) heard.push(`${number} ${body}`);
  });
  await follower.open();
  return { follower, heard };
}

test('A follower of a log in Redis receives everything from its opening on, once and in order', async () => {
  const tenant = tenantOf('test', 'order');
  await send(tenant, 'before');
  await until(async () => (await logInRedis(one, tenant).head()) === 1);
  const { follower, heard } = await follow(tenant);
  await Promise.all(Array.from({ length: 30 }, (_, index) => send(tenant, String(index))));
  await until(() => heard.length === 30);
  expect(heard.map((each) => Number(each.split(' ')[0]))).toEqual(Array.from({ length: 30 }, (_, index) => index + 2));
  await follower.close();
});

test('A follower of a log in Redis reads a number whose push was lost when the next one arrives', async () => {
  const tenant = tenantOf('test', 'lost');
  const { follower, heard } = await follow(tenant);
  // Nobody receives a push that is published while the subscription is down.
  const channel = channelName(one.namespace, eventChannel(tenant));
  await one.redis.subscriber.unsubscribe(channel);
  await send(tenant, 'a');
  await until(async () => (await logInRedis(one, tenant).head()) === 1);
  await one.redis.subscriber.subscribe(channel);
  expect(heard).toEqual([]);
  await send(tenant, 'b');
  await until(() => heard.length === 2);
  expect(heard).toEqual(['1 a', '2 b']);
  await follower.close();
});

test('A follower continues without a gap when Redis has lost the whole log', async () => {
  const tenant = tenantOf('test', 'forgotten');
  const { follower, heard } = await follow(tenant);
  await send(tenant, 'a');
  await until(() => heard.length === 1);
  await two.outbox.settle();
  const key = redisKey(one.namespace, { tenant, kind: eventLog.kind, id: '' });
  await one.redis.commands.del(key, `${key}:rows`);
  await send(tenant, 'b');
  await until(() => heard.length === 2);
  expect(heard).toEqual(['1 a', '2 b']);
  await follower.close();
});

test('A follower that has closed receives nothing more', async () => {
  const tenant = tenantOf('test', 'closed');
  const { follower, heard } = await follow(tenant);
  await follower.close();
  await send(tenant, 'a');
  await until(async () => (await logInRedis(one, tenant).head()) === 1);
  expect(heard).toEqual([]);
});

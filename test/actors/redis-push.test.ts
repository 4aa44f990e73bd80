/** Commands that push use the connection that receives the pushes, as long as that connection works. */
import { tenantOf } from '../../src/kernel/actor/address';
import { DeadlineExceeded } from '../../src/kernel/deadline';
import { LogFollower } from '../../src/kernel/event-log/follower';
import { logEvent } from '../../src/kernel/event-log/log-publisher';
import { logInRedis } from '../../src/kernel/event-log/sources';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { openSilentProxy } from '../support/proxies/silent-proxy';
import { until } from '../support/until';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster({ REDIS_DEADLINE_MS: '2000' });
});
afterAll(() => cluster.close());

const roleOf = async (kernel: Kernel) => {
  const name = await kernel.redis.push((redis) => redis.client('GETNAME'));
  return name?.split('.').at(-1);
};

test('Commands that push use the subscriber connection', async () => {
  expect(await roleOf(await cluster.kernel())).toBe('subscriber');
});

test('Commands that push use the other connection while the subscriber is down', async () => {
  const kernel = await cluster.kernel();
  kernel.redis.subscriber.disconnect();
  await until(() => kernel.redis.subscriber.status === 'end');
  expect(await roleOf(kernel)).toBe('commands');
});

test('A subscriber connection that answers late is skipped until it answers', async () => {
  const kernel = await cluster.kernel();
  const late = kernel.redis.subscriber.blpop(`${kernel.namespace}:late`, 30);
  await expect(roleOf(kernel)).rejects.toThrow(DeadlineExceeded);
  expect(await roleOf(kernel)).toBe('commands');
  await kernel.redis.commands.rpush(`${kernel.namespace}:late`, 'x');
  await late;
  await until(async () => (await roleOf(kernel)) === 'subscriber');
});

test('A subscriber connection that becomes silent is replaced after its deadline, and no event is lost', async () => {
  const url = new URL(cluster.environment['REDIS_URL']!);
  const proxy = await openSilentProxy(Number(url.port));
  url.port = String(proxy.port);
  const kernel = await cluster.kernel({ REDIS_URL: url.href, SWEEP_INTERVAL_MS: '100', SWEEP_AFTER_MS: '0' });
  try {
    const tenant = tenantOf('test', 'silent');
    const heard: string[] = [];
    const source = logInRedis(kernel, tenant);
    const follower = new LogFollower(kernel, source, (events) => heard.push(...events.map(({ body }) => body)));
    /** As the owner of a follower does, because the last push may be the one that was lost. */
    const compare = () =>
      source.head().then(
        (head) => follower.compare(head),
        () => {},
      );
    await follower.open();
    const tell = (body: string) => kernel.transaction(async (tx) => tx.deliver(logEvent(tenant, body)));
    await tell('before');
    await until(() => heard.length === 1);
    proxy.silence();
    await expect(roleOf(kernel)).rejects.toThrow(DeadlineExceeded);
    await tell('after');
    await until(async () => {
      await compare();
      return heard.length === 2;
    });
    expect(heard).toEqual(['before', 'after']);
    await until(async () => (await roleOf(kernel)) === 'subscriber');
    await follower.close();
  } finally {
    await kernel.lifecycle.drain();
    await proxy.close();
  }
});

// A conversation while Redis is cut off, killed, or comes back with older data or none at all.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listen, insistOnSaying, type Listener } from '../../support/chat/listener';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';
import { untilWritten } from '../../support/servers/redis-file';
import { ownDirectory, startRedis } from '../../support/servers/services';
import { until } from '../../support/until';
import type { Kernel } from '../../../src/kernel/kernel';

const own = ownDirectory();
const directory = join(own.path, 'redis');
let redis: Awaited<ReturnType<typeof startRedis>>;
let cluster: Cluster;
let witness: Kernel;
let nodes: MainNode[];
let sender: Record<string, string>;
let subscribers: Record<string, string>[];
let listeners: Listener[] = [];

const startOwnRedis = (port?: number) =>
  startRedis({ dir: directory, appendonly: true, password: 'secret', ...(port === undefined ? {} : { port }) });

beforeAll(async () => {
  redis = await startOwnRedis();
  const url = redis.url;
  cluster = await openCluster({
    REDIS_URL: url,
    RATE_LIMIT: 'off',
    EVENTS_RATE_LIMIT: 'off',
  });
  await cluster.seed();
  witness = await cluster.kernel();
  nodes = await Promise.all([startMainNode(cluster.environment), startMainNode(cluster.environment)]);
  sender = await nodes[0]!.basic('owner@example.com');
  subscribers = await Promise.all(['member', 'other', 'guest'].map((name) => nodes[0]!.basic(`${name}@example.com`)));
});
beforeEach(async () => {
  listeners = await Promise.all(
    subscribers.map((headers, at) => listen({ urls, headers, isStream: at > 0, patienceMs: 5000 })),
  );
});
afterEach(async () => {
  await Promise.all(listeners.map((listener) => listener.stop()));
});
afterAll(async () => {
  await killAll();
  await cluster.close();
  await redis.kill();
  own.remove();
});

const urls = () => nodes.map(({ url }) => url);
const say = (content: string) => insistOnSaying(urls(), sender, { to: 'test', content });

/** Every client has received exactly these messages; those that kept their queue, in this order. */
async function expectHeard(sent: readonly string[]): Promise<void> {
  for (const listener of listeners) {
    await until(
      () => listener.heard.length,
      (count) => count >= sent.length,
    );
    expect(listener.problems).toEqual([]);
    expect(listener.heard).toEqual(sent);
  }
}
const registrations = () => listeners.map((listener) => listener.registrations());

test('Events that are pushed while the subscriber connection is cut are read from the log', async () => {
  await say('before the cut');
  for (let cut = 0; cut < 3; cut += 1) {
    await witness.redis.commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await say(`cut ${cut}`);
  }
  await expectHeard(['before the cut', 'cut 0', 'cut 1', 'cut 2']);
  expect(registrations()).toEqual([1, 1, 1]);
});

test('An event whose push is lost is found even if no other push follows', async () => {
  await say('heard');
  await expectHeard(['heard']);
  // The subscribers are disconnected while writes wait, so the push is lost.
  await witness.redis.commands.call('CLIENT', 'PAUSE', '300', 'WRITE');
  await witness.redis.commands.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await say('the last');
  await expectHeard(['heard', 'the last']);
});

test('Every event queue continues when a killed Redis starts again with its file', async () => {
  await say('before the kill');
  await expectHeard(['before the kill']);
  await untilWritten(join(directory, 'appendonlydir'), 'before the kill');
  await redis.kill();
  await say('while it is away');
  redis = await startOwnRedis(redis.port);
  await say('afterwards');
  await expectHeard(['before the kill', 'while it is away', 'afterwards']);
  expect(registrations()).toEqual([1, 1, 1]);
});

test('Events that a Redis restored from an older copy lacks are published again, and none arrives twice', async () => {
  const files = join(directory, 'appendonlydir');
  await say('in the copy');
  await expectHeard(['in the copy']);
  await untilWritten(files, 'in the copy');
  cpSync(files, `${files}.old`, { recursive: true });
  for (const content of ['not in it', 'nor this']) await say(content);
  await expectHeard(['in the copy', 'not in it', 'nor this']);
  await redis.kill();
  rmSync(files, { recursive: true });
  cpSync(`${files}.old`, files, { recursive: true });
  rmSync(`${files}.old`, { recursive: true });
  redis = await startOwnRedis(redis.port);
  await say('afterwards');
  await expectHeard(['in the copy', 'not in it', 'nor this', 'afterwards']);
});

test('Clients register again after Redis restarts empty, and find the missed messages in the history', async () => {
  await say('before');
  await expectHeard(['before']);
  await redis.kill();
  rmSync(join(directory, 'appendonlydir'), { recursive: true });
  await say('while it is away');
  redis = await startOwnRedis(redis.port);
  await say('afterwards');
  await expectHeard(['before', 'while it is away', 'afterwards']);
  expect(Math.min(...registrations())).toBeGreaterThan(1);
});

/** Limits that are kept by several nodes together: nobody is refused early, and hardly anybody is served too much. */
import { Fault } from '../../src/kernel/fault';
import { openRateLimit, openSwiftRateLimit, type RateLimit } from '../../src/kernel/http/rate-limit';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/cluster';
import { until } from '../support/until';

/** A node may be two requests ahead of Redis. */
const RULE = { seconds: 60, requests: 80 };
const AHEAD = 2;

let cluster: Cluster;
let one: Kernel;
let two: Kernel;

beforeAll(async () => {
  cluster = await openCluster();
  one = await cluster.kernel();
  two = await cluster.kernel();
});
afterAll(() => cluster.close());

const keyOf = (name: string, key = 'ann') => `${one.namespace}:limit:${name}:${key}`;
const sumOf = (name: string) => one.redis.commands.get(keyOf(name));

async function isServed(limit: RateLimit, key = 'ann'): Promise<boolean> {
  try {
    await limit.count(key);
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return false;
  }
}

async function servedOf(times: number, limits: readonly RateLimit[]): Promise<number> {
  let served = 0;
  for (let call = 0; call < times; call += 1) if (await isServed(limits[call % limits.length]!)) served += 1;
  return served;
}

const swift = (name: string) => [one, two].map((kernel) => openSwiftRateLimit(kernel, name, RULE));

test('far from the limit a node counts by itself', async () => {
  const [limit] = swift('far') as [RateLimit];
  const answers = [limit.count('ann'), limit.count('ann')];
  expect(answers.map((answer) => (answer as Record<string, string>)['X-RateLimit-Remaining'])).toEqual(['79', '78']);
  expect(await sumOf('far')).toBeNull();
  expect(await limit.count('ann')).toMatchObject({ 'X-RateLimit-Remaining': '77' });
  expect(await sumOf('far')).toBe('3');
  const left = await one.redis.commands.pttl(keyOf('far'));
  expect(left).toBeGreaterThan(55_000);
  expect(left).toBeLessThanOrEqual(60_000);
});

test('what a node has counted by itself is told once somebody comes close to the limit elsewhere', async () => {
  const [here, there] = swift('left') as [RateLimit, RateLimit];
  await servedOf(AHEAD, [there]);
  await servedOf(39, [here]);
  expect(await sumOf('left')).toBe('39');
  await servedOf(3, [here]);
  await until(async () => (await sumOf('left')) === String(42 + AHEAD));
  expect(await servedOf(100, [here])).toBe(RULE.requests - 42 - AHEAD);
});

test('further ahead than it may be it asks, and knows what the others counted', async () => {
  const [here, there] = swift('ahead') as [RateLimit, RateLimit];
  await servedOf(3, [there]);
  expect(await sumOf('ahead')).toBe('3');
  await servedOf(2, [here]);
  expect(await here.count('ann')).toMatchObject({ 'X-RateLimit-Remaining': '74' });
});

test.each(['swift', 'exact'])(
  'one after the other, over two nodes, all that is allowed is served: %s',
  async (kind) => {
    const open = kind === 'swift' ? openSwiftRateLimit : openRateLimit;
    const limits = [one, two].map((kernel) => open(kernel, `turns-${kind}`, RULE));
    expect(await servedOf(120, limits)).toBe(80);
  },
);

test('all at once, hardly more than is allowed is served, and never less', async () => {
  const limits = swift('burst');
  const calls = await Promise.all(Array.from({ length: 400 }, (_, call) => isServed(limits[call % 2]!)));
  const served = calls.filter(Boolean).length;
  expect(served).toBeGreaterThanOrEqual(80);
  expect(served).toBeLessThanOrEqual(80 + 2 * AHEAD);
});

test('who has used it up on one node is refused by another that never saw them', async () => {
  const [here, there] = swift('moved') as [RateLimit, RateLimit];
  const heard: string[] = [];
  await two.channel.listen('limit:moved', { receive: (news) => heard.push(news), resumed: () => {} });
  expect(await servedOf(90, [here])).toBe(80);
  await until(() => heard.length > 0);
  expect(heard).toHaveLength(1);
  expect(await isServed(there)).toBe(false);
  expect(await isServed(there, 'bob')).toBe(true);
});

test('who is refused costs Redis nothing more', async () => {
  const limit = openRateLimit(one, 'refused', { seconds: 60, requests: 2 });
  expect(await servedOf(20, [limit])).toBe(2);
  expect(await sumOf('refused')).toBe('2');
});

test('a sum that has no end is given one', async () => {
  await one.redis.commands.set(keyOf('endless'), 5);
  const limit = openRateLimit(one, 'endless', { seconds: 60, requests: 10 });
  expect(await limit.count('ann')).toMatchObject({ 'X-RateLimit-Remaining': '4' });
  await until(async () => (await one.redis.commands.pttl(keyOf('endless'))) > 0);
});

test('when its window is over counting begins anew', async () => {
  const limit = openRateLimit(one, 'over', { seconds: 1, requests: 1 });
  expect(await servedOf(2, [limit])).toBe(1);
  await until(() => isServed(limit));
});

test('Whatever a caller wrote takes no room: long keys are counted by their hash', async () => {
  const limit = openRateLimit(one, 'long', { seconds: 60, requests: 1 });
  const long = 'n'.repeat(128_000);
  expect([await isServed(limit, `${long}1`), await isServed(limit, `${long}1`)]).toEqual([true, false]);
  expect(await isServed(limit, `${long}2`)).toBe(true);
  const keys = await one.redis.commands.keys(keyOf('long', '*'));
  expect(keys).toHaveLength(2);
  for (const key of keys) expect(key.length).toBeLessThan(150);
});

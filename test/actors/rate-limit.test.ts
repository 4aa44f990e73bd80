/** Limits that several nodes count together in Redis: exact, cheap for Redis once used up, and never permanent. */
import { Fault } from '../../src/kernel/fault';
import { openRateLimit, type RateLimit } from '../../src/kernel/admission/rate-limit';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { until } from '../support/until';

const RULE = { seconds: 60, requests: 80 };

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
const onBoth = (name: string) =>
  [one, two].map((kernel) => openRateLimit(kernel, name, RULE)) as [RateLimit, RateLimit];

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

test('Every limited request is counted in Redis, in a window that expires', async () => {
  const [here, there] = onBoth('sum');
  expect(await here.count('ann')).toMatchObject({ 'X-RateLimit-Limit': '80', 'X-RateLimit-Remaining': '79' });
  expect(await there.count('ann')).toMatchObject({ 'X-RateLimit-Remaining': '78' });
  expect(await sumOf('sum')).toBe('2');
  const left = await one.redis.commands.pttl(keyOf('sum'));
  expect(left).toBeGreaterThan(55_000);
  expect(left).toBeLessThanOrEqual(60_000);
});

test('Over two nodes, exactly as many sequential requests are served as the rate limit allows', async () => {
  expect(await servedOf(120, onBoth('turns'))).toBe(80);
});

test('Over two nodes, exactly as many concurrent requests are served as the rate limit allows', async () => {
  const limits = onBoth('burst');
  const calls = await Promise.all(Array.from({ length: 400 }, (_, call) => isServed(limits[call % 2]!)));
  expect(calls.filter(Boolean)).toHaveLength(80);
});

test('A caller who used up the limit on one node is refused by another node, and other callers are not', async () => {
  const [here, there] = onBoth('moved');
  expect(await servedOf(90, [here])).toBe(80);
  expect(await isServed(there)).toBe(false);
  expect(await isServed(there, 'bob')).toBe(true);
});

test('A rate limit refusal says when the window ends', async () => {
  const limit = openRateLimit(one, 'when', { seconds: 60, requests: 1 });
  await limit.count('ann');
  const refusal = await limit.count('ann').catch((error: Fault) => error);
  expect(refusal).toMatchObject({ kind: 'too-many', headers: { 'X-RateLimit-Remaining': '0' } });
  const { fields, headers } = refusal as Fault;
  expect(Number(fields['retry-after'])).toBeGreaterThan(55);
  expect(headers['Retry-After']).toMatch(/^(5[5-9]|60)$/);
});

test('Requests beyond the rate limit send Redis no command', async () => {
  const limit = openRateLimit(one, 'refused', { seconds: 60, requests: 2 });
  expect(await servedOf(20, [limit])).toBe(2);
  expect(await sumOf('refused')).toBe('2');
});

test('A rate limit counter in Redis that has no expiry is given one', async () => {
  await one.redis.commands.set(keyOf('endless'), 5);
  const limit = openRateLimit(one, 'endless', { seconds: 60, requests: 10 });
  expect(await limit.count('ann')).toMatchObject({ 'X-RateLimit-Remaining': '4' });
  expect(await one.redis.commands.pttl(keyOf('endless'))).toBeGreaterThan(0);
});

test('A rate limit starts to count again when its window is over', async () => {
  const limit = openRateLimit(one, 'over', { seconds: 1, requests: 1 });
  expect(await servedOf(2, [limit])).toBe(1);
  await until(() => isServed(limit));
});

test('A long rate limit key is counted by its hash, so that it takes little space in Redis', async () => {
  const limit = openRateLimit(one, 'long', { seconds: 60, requests: 1 });
  const long = 'n'.repeat(128_000);
  expect([await isServed(limit, `${long}1`), await isServed(limit, `${long}1`)]).toEqual([true, false]);
  expect(await isServed(limit, `${long}2`)).toBe(true);
  const keys = await one.redis.commands.keys(keyOf('long', '*'));
  expect(keys).toHaveLength(2);
  for (const key of keys) expect(key.length).toBeLessThan(150);
});

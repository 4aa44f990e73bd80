import { setTimeout as wait } from 'node:timers/promises';
import { Cache, ownCopy } from '../../../../src/kernel/cache/cache';

describe('Cache', () => {
  test('A cache keeps entries that are used and evicts others beyond its number of entries', () => {
    const cache = new Cache<number, string>({ entries: 10, bytes: 1_000_000 });
    cache.set(0, 'wanted');
    for (let key = 1; key < 100; key += 1) {
      cache.set(key, 'passing');
      expect(cache.get(0)).toBe('wanted');
      expect(cache.size).toBeLessThanOrEqual(10);
    }
    expect(cache.get(1)).toBeUndefined();
    expect(cache.get(99)).toBe('passing');
  });

  test('A cache counts the length of its keys and never exceeds its limit in bytes', () => {
    const cache = new Cache<string, number>({ entries: 1000, bytes: 20_000 });
    for (let at = 0; at < 1000; at += 1) {
      cache.set(`${at}`.padEnd(500, 'x'), at);
      expect(cache.bytes).toBeLessThanOrEqual(20_000);
    }
    expect(cache.size).toBeLessThan(20);
    expect(cache.get('999'.padEnd(500, 'x'))).toBe(999);
  });

  test('A cache does not store an entry that is larger than its whole limit', () => {
    const cache = new Cache<string, number>({ entries: 10, bytes: 1000 });
    cache.set('small', 1);
    cache.set('x'.repeat(10_000), 2);
    expect(cache.size).toBe(1);
    expect(cache.get('small')).toBe(1);
  });

  test('A cache weighs its entries by the function that it is given', () => {
    const cache = new Cache<number, string>({ entries: 1000, bytes: 1000, weigh: (value) => value.length });
    for (let key = 0; key < 10; key += 1) cache.set(key, 'v'.repeat(300));
    expect(cache.size).toBe(3);
  });

  test('A cache drops expired entries even if nobody asks for them again', async () => {
    const cache = new Cache<number, string>({ entries: 1000, bytes: 1_000_000, ttlMs: 20 });
    for (let key = 0; key < 100; key += 1) cache.set(key, 'old');
    await wait(60);
    cache.set(100, 'new');
    expect(cache.size).toBe(1);
    expect(cache.get(0)).toBeUndefined();
  });

  test('A cache deletes entries by key, and all at once', () => {
    const cache = new Cache<number, number>({ entries: 10, bytes: 10_000 });
    for (const key of [1, 2]) cache.set(key, key);
    cache.delete(2);
    expect([1, 2].map((key) => cache.get(key))).toEqual([1, undefined]);
    cache.clear();
    expect(cache.size).toBe(0);
  });
});

test.each(['', 'plain', 'Zoë', '日本', '\ud800 half'])('A copy of a text equals the text: %j', (text) => {
  expect(ownCopy(text)).toBe(text);
});

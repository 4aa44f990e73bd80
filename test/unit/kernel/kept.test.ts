import { setTimeout as wait } from 'node:timers/promises';
import { asciiJson } from '../../../src/kernel/ascii-json';
import { BoundedMap } from '../../../src/kernel/bounded-map';
import { KeptAnswers } from '../../../src/kernel/kept-answers';
import type { Kernel } from '../../../src/kernel/kernel';
import { perKernel } from '../../../src/kernel/per-kernel';

test('JSON in ASCII says the same', () => {
  const value = { name: 'Zoë “quoted” \u{1F600} ü\u2028\\u00e9', list: ['日本', 'plain', '"'] };
  const written = asciiJson(JSON.stringify(value));
  expect(written).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(written)).toEqual(value);
});

describe('a bounded map', () => {
  test('keeps what is asked for and forgets the rest', () => {
    const map = new BoundedMap<number, string>(10);
    map.set(0, 'wanted');
    for (let key = 1; key < 100; key += 1) {
      map.set(key, 'passing');
      expect(map.get(0)).toBe('wanted');
      expect(map.size).toBeLessThanOrEqual(10);
    }
    expect(map.get(1)).toBeUndefined();
    expect(map.get(99)).toBe('passing');
  });

  test('forgets what it is told to, wherever that lies', () => {
    const map = new BoundedMap<number, number>(4);
    for (const key of [1, 2, 3, 4]) map.set(key, key % 2);
    map.deleteWhere((value) => value === 1);
    expect([1, 2, 3, 4].map((key) => map.get(key))).toEqual([undefined, 0, undefined, 0]);
    map.delete(2);
    expect(map.get(2)).toBeUndefined();
  });
});

describe('answers that are kept', () => {
  const answers = () => new KeptAnswers<string, number>({ keptMs: 60_000, most: 10 });

  test('are known at once when they are there', async () => {
    const kept = answers();
    const read = () => Promise.resolve(7);
    expect(kept.peek('a', read)).toBeUndefined();
    await kept.get('a', read);
    expect(kept.peek('a', read)).toBe(7);
    kept.forget('a');
    expect(kept.peek('a', read)).toBeUndefined();
  });

  test('are asked for again before they are too old, and stay known meanwhile', async () => {
    const kept = new KeptAnswers<string, number>({ keptMs: 200, most: 10 });
    let value = 0;
    const read = jest.fn(() => Promise.resolve((value += 1)));
    await kept.get('a', read);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(kept.peek('a', read)).toBe(1);
    expect(read).toHaveBeenCalledTimes(2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(kept.peek('a', read)).toBe(2);
  });

  test('are held until they are too old or forgotten, and nobody is asked meanwhile', async () => {
    const kept = new KeptAnswers<string, number>({ keptMs: 1000, most: 10 });
    const read = jest.fn(() => Promise.resolve(7));
    expect(kept.held('a')).toBeUndefined();
    await kept.get('a', read);
    expect(kept.held('a')).toBe(7);
    kept.forget('a');
    expect(kept.held('a')).toBeUndefined();
    await kept.get('a', read);
    await wait(1010);
    expect(kept.held('a')).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(2);
  });
});

test('each kernel has its own, in whatever order they ask', () => {
  const [one, other] = [{}, {}] as [Kernel, Kernel];
  let made = 0;
  const own = perKernel(() => (made += 1));
  expect([one, other, one, one, other].map(own)).toEqual([1, 2, 1, 1, 2]);
});

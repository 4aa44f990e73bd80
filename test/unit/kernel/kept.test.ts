import { setTimeout as wait } from 'node:timers/promises';
import { asciiJson } from '../../../src/kernel/ascii-json';
import { KeptAnswers } from '../../../src/kernel/kept-answers';
import type { Kernel } from '../../../src/kernel/kernel';
import { perKernel } from '../../../src/kernel/per-kernel';

test('JSON in ASCII says the same', () => {
  const value = { name: 'Zoë “quoted” \u{1F600} ü\u2028\\u00e9', list: ['日本', 'plain', '"'] };
  const written = asciiJson(JSON.stringify(value));
  expect(written).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(written)).toEqual(value);
});

describe('answers that are kept', () => {
  const answers = () => new KeptAnswers<string, number>({ keptMs: 60_000, most: 10, bytes: 10_000 });

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
    const kept = new KeptAnswers<string, number>({ keptMs: 200, most: 10, bytes: 10_000 });
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
    const kept = new KeptAnswers<string, number>({ keptMs: 1000, most: 10, bytes: 10_000 });
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

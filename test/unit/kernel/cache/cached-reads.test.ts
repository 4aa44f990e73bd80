import { setTimeout as wait } from 'node:timers/promises';
import { asciiJson } from '../../../../src/kernel/text/ascii-json';
import { CachedReads } from '../../../../src/kernel/cache/cached-reads';
import { until } from '../../../support/until';

test('JSON written in ASCII has the same value', () => {
  const value = { name: 'Zoë “quoted” \u{1F600} ü\u2028\\u00e9', list: ['日本', 'plain', '"'] };
  const written = asciiJson(JSON.stringify(value));
  expect(written).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(written)).toEqual(value);
});

describe('Cached reads', () => {
  const openReads = (ttlMs = 60_000) => new CachedReads<string, number>({ ttlMs, entries: 10, bytes: 10_000 });

  const seven = () => Promise.resolve(7);

  test('A value is available at once after it was read, until it is deleted', async () => {
    const reads = openReads();
    expect(reads.getRefreshed('a', seven)).toBeUndefined();
    await reads.get('a', seven);
    expect(reads.getRefreshed('a', seven)).toBe(7);
    reads.delete('a');
    expect(reads.getRefreshed('a', seven)).toBeUndefined();
  });

  test('Concurrent callers share one read', async () => {
    const reads = openReads();
    const read = jest.fn(() => wait(5, 7));
    expect(await Promise.all([reads.get('a', read), reads.get('a', read)])).toEqual([7, 7]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('A value is read again in the second half of its time to live, and stays available meanwhile', async () => {
    const reads = openReads(6000);
    let value = 0;
    const read = jest.fn(() => Promise.resolve((value += 1)));
    await reads.get('a', read);
    let shown: number | undefined;
    await until(() => {
      shown = reads.getRefreshed('a', read);
      return read.mock.calls.length === 2;
    });
    expect(shown).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(reads.getRefreshed('a', read)).toBe(2);
  });

  test('A value is gone after its time to live', async () => {
    const reads = openReads(50);
    await reads.get('a', seven);
    await wait(70);
    expect(reads.getRefreshed('a', seven)).toBeUndefined();
  });

  test('A value that was deleted while it was being read is not cached', async () => {
    const reads = openReads();
    const late = reads.get('a', () => wait(5, 7));
    reads.delete('a');
    expect(await late).toBe(7);
    expect(reads.getRefreshed('a', seven)).toBeUndefined();
  });

  test('A read that fails is not cached, and does not remove a newer one', async () => {
    const reads = openReads();
    const failing = reads.get('a', () => wait(5).then(() => Promise.reject(new Error('away'))));
    reads.delete('a');
    await reads.get('a', () => Promise.resolve(8));
    await expect(failing).rejects.toThrow('away');
    expect(reads.getRefreshed('a', seven)).toBe(8);
    await expect(reads.get('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await reads.get('b', () => Promise.resolve(9))).toBe(9);
  });
});

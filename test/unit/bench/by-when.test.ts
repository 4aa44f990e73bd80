import { byWhen } from '../../../bench/load/by-when';

describe('A benchmark with a deadline', () => {
  test('Benchmark work that ends in time gives its result', async () => {
    await expect(byWhen('quick', 60_000, () => Promise.resolve(7))).resolves.toBe(7);
  });

  test('Benchmark work that does not end is given up, with its last report', async () => {
    const stuck = byWhen('stuck', 10, (tell) => {
      tell('one of two done');
      return new Promise(() => {});
    });
    await expect(stuck).rejects.toThrow('stuck took longer than 0.01 s: one of two done');
  });

  test('A benchmark fails with the error of its work', async () => {
    await expect(byWhen('broken', 60_000, () => Promise.reject(new Error('no browser')))).rejects.toThrow('no browser');
  });
});

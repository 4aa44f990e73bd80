import { byWhen } from '../../../bench/load/by-when';

describe('A benchmark that may stand still only for so long', () => {
  afterEach(() => jest.useRealTimers());

  test('Benchmark work that ends in time gives its result', async () => {
    await expect(byWhen('quick', 60_000, () => Promise.resolve(7))).resolves.toBe(7);
  });

  test('Benchmark work that does not end is given up, with its last report', async () => {
    const stuck = byWhen('stuck', 10, (tell) => {
      tell('one of two done');
      return new Promise(() => {});
    });
    await expect(stuck).rejects.toThrow('stood still for 0.01 s: one of two done');
  });

  test('Benchmark work that takes long but gets on is not given up', async () => {
    jest.useFakeTimers();
    const slow = byWhen('slow', 100, async (tell) => {
      for (let at = 0; at < 15; at += 1) {
        await new Promise((resolve) => setTimeout(resolve, 90));
        tell(`${at} done`);
      }
      return 'all';
    });
    await jest.advanceTimersByTimeAsync(1500);
    await expect(slow).resolves.toBe('all');
  });

  test('Benchmark work that tells the same again and again stands still', async () => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const stuck = byWhen('stuck', 20, (tell) => {
      timer = setInterval(() => tell('waiting'), 1);
      return new Promise(() => {});
    });
    await expect(stuck).rejects.toThrow('stuck stood still for 0.02 s: waiting');
    clearInterval(timer);
  });

  test('A benchmark fails with the error of its work', async () => {
    await expect(byWhen('broken', 60_000, () => Promise.reject(new Error('no browser')))).rejects.toThrow('no browser');
  });
});

/** The arithmetic of the benchmarks. */
import { latency, median, percentile, ratios, spread } from '../../../bench/harness/statistics';

describe('median', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect(median([3])).toBe(3);
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 1, 2, 3])).toBe(2.5);
  });

  it('does not sort numbers as text, and leaves its input alone', () => {
    const values = [100, 9, 20];
    expect(median(values)).toBe(20);
    expect(values).toEqual([100, 9, 20]);
  });

  it('refuses to say anything about nothing', () => {
    expect(() => median([])).toThrow('nothing');
  });
});

describe('spread', () => {
  it('names the median and both ends', () => {
    expect(spread([0.3, 0.1, 0.2])).toEqual({ median: 0.2, min: 0.1, max: 0.3 });
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

  it('is the nearest rank', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile(hundred, 0)).toBe(1);
  });

  it('works with a single value', () => {
    expect(percentile([7], 0.99)).toBe(7);
  });

  it('refuses to say anything about nothing', () => {
    expect(() => percentile([], 0.5)).toThrow('nothing');
  });
});

describe('latency', () => {
  it('takes the measurements in any order', () => {
    const shuffled = Array.from({ length: 200 }, (_, index) => ((index * 77) % 200) + 1);
    expect(latency(shuffled)).toEqual({ p50: 100, p95: 190, p99: 198 });
  });
});

describe('ratios', () => {
  it('pairs each measurement with the limit of the same repeat', () => {
    expect(ratios([10, 30], [20, 20])).toEqual([0.5, 1.5]);
  });

  it('leaves out a limit of nothing, which nothing can be a multiple of', () => {
    expect(ratios([10, 30], [0, 20])).toEqual([1.5]);
  });

  it('refuses what cannot be paired', () => {
    expect(() => ratios([1], [])).toThrow('1 measurements cannot be paired with 0');
  });
});

/** The arithmetic of the benchmarks. */
import { latency, median, percentile, ratios, spread } from '../../../bench/harness/statistics';

describe('median', () => {
  it('The median is the middle value, or the mean of the two in the middle', () => {
    expect(median([3])).toBe(3);
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 1, 2, 3])).toBe(2.5);
  });

  it('The median sorts numbers by value and leaves its input unchanged', () => {
    const values = [100, 9, 20];
    expect(median(values)).toBe(20);
    expect(values).toEqual([100, 9, 20]);
  });

  it('The median of no values is refused', () => {
    expect(() => median([])).toThrow('nothing');
  });
});

describe('spread', () => {
  it('The spread has the median, the minimum and the maximum', () => {
    expect(spread([0.3, 0.1, 0.2])).toEqual({ median: 0.2, min: 0.1, max: 0.3 });
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

  it('A percentile is the value at the nearest rank', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile(hundred, 0)).toBe(1);
  });

  it('A percentile of a single value is that value', () => {
    expect(percentile([7], 0.99)).toBe(7);
  });

  it('A percentile of no values is refused', () => {
    expect(() => percentile([], 0.5)).toThrow('nothing');
  });
});

describe('latency', () => {
  it('Latencies are computed from measurements in any order', () => {
    const shuffled = Array.from({ length: 200 }, (_, index) => ((index * 77) % 200) + 1);
    expect(latency(shuffled)).toEqual({ p50: 100, p95: 190, p99: 198 });
  });
});

describe('ratios', () => {
  it('The ratios pair each measurement with the limit of the same repeat', () => {
    expect(ratios([10, 30], [20, 20])).toEqual([0.5, 1.5]);
  });

  it('The ratios leave out a limit of zero', () => {
    expect(ratios([10, 30], [0, 20])).toEqual([1.5]);
  });

  it('The ratios refuse lists of different lengths', () => {
    expect(() => ratios([1], [])).toThrow('1 measurements cannot be paired with 0');
  });
});

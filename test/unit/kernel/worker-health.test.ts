import { openStallDetection, type Look } from '../../../src/kernel/jobs/worker-health';
import { openCounters, paceOf } from '../../../src/kernel/jobs/counters';

const look = (more: Partial<Look> = {}): Look => ({
  queue: 'a',
  oldestWaiting: '1',
  isPaused: false,
  taken: 0,
  hasFreeSlot: true,
  ...more,
});

describe('Stall detection', () => {
  test('A worker is stalled when the same job waits for long and the worker takes none', () => {
    const stalls = openStallDetection(1000);
    expect(stalls.observe([look()], 0)).toEqual([]);
    expect(stalls.observe([look()], 999)).toEqual([]);
    expect(stalls.observe([look()], 1000)).toEqual(['a']);
  });

  test.each([
    ['nothing waits', look({ oldestWaiting: null })],
    ['another job is the oldest', look({ oldestWaiting: '2' })],
    ['it took one', look({ taken: 1 })],
    ['all its hands are full', look({ hasFreeSlot: false })],
    ['the queue is paused', look({ isPaused: true })],
  ])('A worker is not stalled when %s', (_, now) => {
    const stalls = openStallDetection(1000);
    stalls.observe([look()], 0);
    expect(stalls.observe([now], 5000)).toEqual([]);
  });

  test('A worker can be stalled on one queue and not on another', () => {
    const stalls = openStallDetection(1000);
    stalls.observe([look(), look({ queue: 'b', taken: 1 })], 0);
    expect(stalls.observe([look(), look({ queue: 'b', taken: 2 })], 1000)).toEqual(['a']);
  });
});

describe('Pace of a queue', () => {
  test('The pace of a queue is counted by outcome and by latency bucket', () => {
    const counters = openCounters();
    for (const ms of [3, 4, 40, 40, 900]) counters.count('done', ms);
    counters.count('failed', 7_000_000);
    const counts = Object.fromEntries([...counters.take()].map(([field, count]) => [field, String(count)]));
    expect(paceOf([counts, {}], 2)).toEqual({
      donePerMinute: 2.5,
      failedPerMinute: 0.5,
      p50Ms: 50,
      p95Ms: Number.MAX_SAFE_INTEGER,
    });
    expect(counters.take().size).toBe(0);
  });

  test('The pace of an idle queue is zero', () => {
    expect(paceOf([], 5)).toEqual({ donePerMinute: 0, failedPerMinute: 0, p50Ms: null, p95Ms: null });
  });
});

import { openMetrics, REQUEST_SECONDS } from '../../../src/kernel/metrics';
import { historyObject, SPANS, stepsUntil } from '../../../src/ops/model/history';
import { findLive, type Moment } from '../../../src/ops/model/live-findings';
import { paceBetween, slowestOf } from '../../../src/ops/model/pace';

describe('Pace of routes', () => {
  test('The pace of routes counts requests of any status between two readings, except on waiting routes', async () => {
    const metrics = openMetrics('n');
    const ask = (route: string, status: number, seconds: number) =>
      metrics.request({ product: '/api/v1', route, method: 'GET', status }, seconds);
    ask('/users', 200, 0.004);
    const before = await metrics.routeTotals();
    for (let n = 0; n < 19; n += 1) ask('/users', 200, 0.02);
    ask('/users', 503, 0.2);
    ask('/slow', 200, 70);
    metrics.heldRequest({ product: '/api/v1', route: '/events', method: 'GET', status: 200 });
    metrics.request({ product: 'kernel', route: 'none', method: 'GET', status: 404 }, 0.5);
    expect(paceBetween(before, await metrics.routeTotals())).toEqual({
      requests: 22,
      errors: 1,
      routes: [
        { route: 'GET /api/v1/users', requests: 20, meanMs: 29, p95Ms: 25 },
        { route: 'GET /api/v1/slow', requests: 1, meanMs: 70_000, p95Ms: null },
        { route: 'GET (pages and unknown paths)', requests: 1, meanMs: 500, p95Ms: 500 },
      ],
    });
    expect(Math.max(...REQUEST_SECONDS)).toBeLessThan(70);
  });

  test('The pace of a route is merged over all nodes, and the slowest route comes first', () => {
    const [quick, slow] = [
      { route: 'GET /quick', requests: 1, meanMs: 1, p95Ms: 1 },
      { route: 'GET /slow', requests: 3, meanMs: 10, p95Ms: 25 },
    ];
    const other = { route: 'GET /slow', requests: 1, meanMs: 50, p95Ms: 100 };
    const together = { route: 'GET /slow', requests: 4, meanMs: 20, p95Ms: 100 };
    expect(slowestOf([quick, slow, other], 2)).toEqual([together, quick]);
    expect(slowestOf([quick, slow, other], 1)).toEqual([together]);
    expect(slowestOf([slow, { ...other, p95Ms: null }], 1)[0]!.p95Ms).toBeNull();
  });
});

describe('History', () => {
  test('The history has a point for each step, null without samples, and rates per second of the step', () => {
    const now = 1_000_050;
    const slots = stepsUntil(now, 'hour').map((): Record<string, string> => ({}));
    slots[58] = { events: '100' };
    slots[59] = { requests: '120', errors: '6', events: '160', waiting: '4' };
    slots[60] = { requests: '40', errors: '0', events: '150' };
    const { points, step_seconds: step } = historyObject(slots, 'hour', now);
    const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString();
    expect(step).toBe(60);
    expect(points).toHaveLength(SPANS.hour.steps);
    expect(points[0]).toMatchObject({
      at: timeOf(1_000_020 - 59 * 60),
      requests_per_second: null,
      waiting: null,
    });
    expect(points[58]).toMatchObject({
      requests_per_second: 2,
      errors_per_second: 0.1,
      events_per_second: 1,
      waiting: 4,
    });
    // The current step is half a minute old; a counter that fell gives no negative rate.
    const last = { at: timeOf(1_000_020), requests_per_second: 1.33, events_per_second: 0, waiting: null };
    expect(points[59]).toMatchObject(last);
  });
});

describe('Live findings', () => {
  const calm: Moment = {
    redis: {},
    nodes: [{ name: 'one', lagMs: 3 }],
    workers: 1,
    queues: [{ queue: 'q', isPaused: false, waiting: 0, oldestMs: null }],
    workQueues: [{ name: 'deliveries', waiting: 0, oldestMs: null, dead: 0 }],
    outbox: { rows: 0, oldestMs: null },
    requests: 1000,
    errors: 1,
  };
  const wrong = (more: Partial<Moment>) => findLive({ ...calm, ...more }).filter(({ level }) => level !== 'ok');

  test('There is no finding while all is well', () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ requests: 5, errors: 5 })).toEqual([]);
    const paused = { queue: 'q', isPaused: true, waiting: 1, oldestMs: 1e6 };
    expect(wrong({ queues: [paused] }).map(({ check }) => check)).toEqual(['queues']);
  });

  test.each<[string, string, Partial<Moment>]>([
    ['workers', 'no worker', { workers: 0 }],
    ['queues', 'paused: q', { queues: [{ queue: 'q', isPaused: true, waiting: 0, oldestMs: null }] }],
    ['dead-letters', 'mails (2)', { workQueues: [{ name: 'mails', waiting: 0, oldestMs: null, dead: 2 }] }],
    ['waiting', 'mails (61 s)', { workQueues: [{ name: 'mails', waiting: 9, oldestMs: 61_000, dead: 0 }] }],
    ['outbox', '7 changes', { outbox: { rows: 7, oldestMs: 16_000 } }],
    ['errors', '10 of the last 1000', { errors: 10 }],
    ['lag', 'one (201 ms)', { nodes: [{ name: 'one', lagMs: 201 }] }],
    ['redis', 'does not answer', { redis: null, workers: 0, nodes: [] }],
  ])('The check %s finds "%s" and gives advice', (check, words, more) => {
    expect(wrong(more)).toEqual([
      {
        check,
        level: expect.stringMatching(/warn|fail/),
        says: expect.stringContaining(words),
        advice: expect.any(String),
      },
    ]);
  });
});

/** Metrics of the last hour and day. Each time step is one Redis hash with the same fields. */
import type { Wire } from '../../kernel/text/wire';
import type { historyAnswer } from './overview-answers';

export const SPANS = {
  hour: { stepSeconds: 60, steps: 60 },
  day: { stepSeconds: 600, steps: 144 },
} as const;
export type Span = keyof typeof SPANS;

/** Summed over all nodes. */
export const COUNTS = ['requests', 'errors'] as const;
/** Sampled by one node at a time; a step keeps the maximum. `events` is the total number of events so far. */
export const LEVELS = ['events', 'waiting', 'oldestMs', 'dead', 'lagMs', 'redisClients', 'mysqlConnections'] as const;

export type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;
export type Levels = Readonly<Record<(typeof LEVELS)[number], number>>;

/** As stored in Redis. */
export type Slot = Readonly<Record<string, string | undefined>>;

/** The step numbers up to now, oldest first, with one extra step in front to compute differences from. */
export function stepsUntil(nowSeconds: number, span: Span): number[] {
  const { stepSeconds, steps } = SPANS[span];
  const last = Math.floor(nowSeconds / stepSeconds);
  return Array.from({ length: steps + 1 }, (_, index) => last - steps + index);
}

/** Steps without data are null, not zero. Rates of the current step use only the elapsed part of it. */
export function historyObject(slots: readonly Slot[], span: Span, nowSeconds: number): Wire<typeof historyAnswer> {
  const { stepSeconds } = SPANS[span];
  const first = stepsUntil(nowSeconds, span)[0]!;
  const numbers = slots.map((slot) => (name: string) => (slot[name] === undefined ? null : Number(slot[name])));
  const points = numbers.slice(1).map((of, index) => {
    const at = (first + index + 1) * stepSeconds;
    const seconds = Math.max(1, Math.min(stepSeconds, nowSeconds - at));
    const rate = (count: number | null): number | null => (count === null ? null : round(count / seconds));
    const [before, after] = [numbers[index]!('events'), of('events')];
    return {
      at: new Date(at * 1000).toISOString(),
      requests_per_second: rate(of('requests')),
      errors_per_second: rate(of('errors')),
      events_per_second: before === null || after === null ? null : rate(Math.max(0, after - before)),
      waiting: of('waiting'),
      oldest_ms: of('oldestMs'),
      dead: of('dead'),
      lag_ms: of('lagMs'),
      redis_clients: of('redisClients'),
      mysql_connections: of('mysqlConnections'),
    };
  });
  return { step_seconds: stepSeconds, points };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Metrics of the last hour and day. Each time step is one Redis hash with the same fields. */

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

export interface Point {
  /** The start of the step, in Unix seconds. */
  readonly at: number;
  readonly requestsPerSecond: number | null;
  readonly errorsPerSecond: number | null;
  readonly eventsPerSecond: number | null;
  readonly waiting: number | null;
  readonly oldestMs: number | null;
  readonly dead: number | null;
  readonly lagMs: number | null;
  readonly redisClients: number | null;
  readonly mysqlConnections: number | null;
}

/** The step numbers up to now, oldest first, with one extra step in front to compute differences from. */
export function stepsUntil(nowSeconds: number, span: Span): number[] {
  const { stepSeconds, steps } = SPANS[span];
  const last = Math.floor(nowSeconds / stepSeconds);
  return Array.from({ length: steps + 1 }, (_, index) => last - steps + index);
}

/** Steps without data are null, not zero. Rates of the current step use only the elapsed part of it. */
export function pointsOf(slots: readonly Slot[], span: Span, nowSeconds: number): Point[] {
  const { stepSeconds } = SPANS[span];
  const first = stepsUntil(nowSeconds, span)[0]!;
  const numbers = slots.map((slot) => (name: string) => (slot[name] === undefined ? null : Number(slot[name])));
  return numbers.slice(1).map((of, index) => {
    const at = (first + index + 1) * stepSeconds;
    const seconds = Math.max(1, Math.min(stepSeconds, nowSeconds - at));
    const rate = (count: number | null): number | null => (count === null ? null : round(count / seconds));
    const [before, after] = [numbers[index]!('events'), of('events')];
    return {
      at,
      requestsPerSecond: rate(of('requests')),
      errorsPerSecond: rate(of('errors')),
      eventsPerSecond: before === null || after === null ? null : rate(Math.max(0, after - before)),
      waiting: of('waiting'),
      oldestMs: of('oldestMs'),
      dead: of('dead'),
      lagMs: of('lagMs'),
      redisClients: of('redisClients'),
      mysqlConnections: of('mysqlConnections'),
    };
  });
}

const round = (value: number): number => Math.round(value * 100) / 100;

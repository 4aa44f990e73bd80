/** Counts finished jobs by outcome and latency, per minute, for all workers together. Workers add them to Redis. */
import type { Redis } from 'ioredis';
import { installationKey } from '../redis/keys';
import { runPipeline } from '../redis/run-pipeline';

/** Upper bounds of the latency buckets, in milliseconds. */
const CLASSES = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, Infinity];
const MINUTE_MS = 60_000;
const KEPT_SECONDS = 3600;
const WINDOW_MINUTES = 5;

export type JobCounters = ReturnType<typeof openCounters>;

export function openCounters() {
  let counts = new Map<string, number>();
  const add = (field: string) => counts.set(field, (counts.get(field) ?? 0) + 1);
  return {
    /** `ms`: from when the job was due until it ended. */
    count(outcome: 'done' | 'failed', ms: number): void {
      add(outcome);
      add(`class-${CLASSES.findIndex((end) => ms <= end)}`);
    },
    /** The counts since the last call. */
    take(): ReadonlyMap<string, number> {
      const taken = counts;
      counts = new Map();
      return taken;
    },
  };
}

const keyOf = (namespace: string, queue: string, minute: number): string =>
  installationKey(namespace, `counters:${queue}:${minute}`);

type Pipeline = ReturnType<Redis['pipeline']>;

export function addCounters(
  pipeline: Pipeline,
  namespace: string,
  queue: string,
  counts: ReadonlyMap<string, number>,
): void {
  const key = keyOf(namespace, queue, Math.floor(Date.now() / MINUTE_MS));
  for (const [field, count] of counts) pipeline.hincrby(key, field, count);
  if (counts.size > 0) pipeline.expire(key, KEPT_SECONDS);
}

/** Rates over the last minutes. */
export interface Pace {
  readonly donePerMinute: number;
  readonly failedPerMinute: number;
  /** Percentiles of the time from due to finished, rounded up to a bucket's bound; null if no job ended. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export async function readPace(redis: Redis, namespace: string, queue: string): Promise<Pace> {
  const now = Date.now();
  const minute = Math.floor(now / MINUTE_MS);
  const pipeline = redis.pipeline();
  for (let back = 0; back < WINDOW_MINUTES; back++) pipeline.hgetall(keyOf(namespace, queue, minute - back));
  const replies = await runPipeline(pipeline);
  const elapsed = WINDOW_MINUTES - 1 + (now % MINUTE_MS) / MINUTE_MS;
  return paceOf(replies as Record<string, string>[], elapsed);
}

export function paceOf(minutes: readonly Readonly<Record<string, string>>[], elapsedMinutes: number): Pace {
  const sum = (field: string) => minutes.reduce((total, counts) => total + Number(counts[field] ?? 0), 0);
  const classes = CLASSES.map((_, index) => sum(`class-${index}`));
  const all = classes.reduce((total, count) => total + count, 0);
  const atMost = (share: number): number | null => {
    let left = all * share;
    const index = classes.findIndex((count) => (left -= count) <= 0);
    return all === 0 ? null : Math.min(CLASSES[index] ?? Infinity, Number.MAX_SAFE_INTEGER);
  };
  const perMinute = (count: number) => Math.round((count / elapsedMinutes) * 10) / 10;
  return {
    donePerMinute: perMinute(sum('done')),
    failedPerMinute: perMinute(sum('failed')),
    p50Ms: atMost(0.5),
    p95Ms: atMost(0.95),
  };
}

/** Publishes this node's heartbeat in Redis and adds its counters to the history. One node samples the rest. */
import { hostname } from 'node:os';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { newId } from '../../kernel/id';
import type { Kernel } from '../../kernel/kernel';
import type { RouteTotal } from '../../kernel/metrics';
import { openBeats } from '../../kernel/redis/beats';
import type { Keyspace } from '../../kernel/redis/connections';
import { runPipeline } from '../../kernel/redis/run-pipeline';
import { COUNTS, LEVELS, SPANS, type Counts, type Span } from '../model/history';
import { paceBetween, slowestOf, type NodeBeat } from '../model/pace';
import type { WorkQueueAdmins } from '../model/work';
import { slotKey } from '../queries/node-reports';
import { levelsOf, lookAround } from '../queries/look-around';

type Parts = Keyspace & Pick<Kernel, 'jobs' | 'lifecycle' | 'log' | 'metrics' | 'mysql' | 'settings'>;

/** A node counts as gone after this many missed heartbeats. */
const BEATS_KEPT = 3;
/** A finer resolution would dominate the CPU time of an idle node. */
const LOOK_AT_LOOP_MS = 100;
/** Rates cover the last minutes: one snapshot per minute, this many kept. */
const WINDOW_MINUTES = 5;
const MINUTE_MS = 60_000;
const MAX_ROUTES = 10;

interface Totals {
  readonly at: number;
  readonly routes: readonly RouteTotal[];
}

let loopDelay: IntervalHistogram | undefined;

/** One for the process: Node frees no such observer, nor anything that can be reached from where it was begun. */
function observeLoop(): IntervalHistogram {
  if (loopDelay) return loopDelay;
  loopDelay = monitorEventLoopDelay({ resolution: LOOK_AT_LOOP_MS });
  loopDelay.enable();
  return loopDelay;
}

export function startReporting(kernel: Parts, version: string, admins: WorkQueueAdmins): void {
  const { log, lifecycle, metrics, namespace, redis, settings } = kernel;
  const id = newId();
  const startedAt = new Date();
  const beats = openBeats<NodeBeat>(kernel, 'node');
  const loop = observeLoop();
  let last: Totals = { at: startedAt.getTime(), routes: [] };
  let window: readonly Totals[] = [last];

  function beatOf(now: Totals): NodeBeat {
    const [oldest] = window;
    const { requests, errors, routes } = paceBetween(oldest!.routes, now.routes);
    return {
      id,
      name: settings.nodeName,
      host: hostname(),
      pid: process.pid,
      version,
      nodeVersion: process.version,
      startedAt: startedAt.toISOString(),
      isDraining: !lifecycle.ready(),
      memoryBytes: process.memoryUsage.rss(),
      lagMs: Math.round(Math.max(0, loop.percentile(99) / 1e6 - LOOK_AT_LOOP_MS)),
      requests,
      errors,
      seconds: (now.at - oldest!.at) / 1000,
      slowest: slowestOf(routes, MAX_ROUTES),
    };
  }

  async function report(): Promise<void> {
    const now: Totals = { at: Date.now(), routes: await metrics.routeTotals() };
    const pipeline = redis.commands.pipeline();
    beats.add(pipeline, beatOf(now), settings.sampleMs * BEATS_KEPT);
    const counts: Counts = paceBetween(last.routes, now.routes);
    for (const [key, seconds] of slotsAt(namespace, now.at)) {
      for (const name of COUNTS) pipeline.hincrby(key, name, counts[name]);
      pipeline.expire(key, seconds);
    }
    await runPipeline(pipeline);
    last = now;
    if (now.at - window.at(-1)!.at >= MINUTE_MS) window = [...window, now].slice(-WINDOW_MINUTES - 1);
    loop.reset();
  }

  /** The first node to take the lock samples for all. A step keeps the maximum. */
  async function measure(): Promise<void> {
    const isOurs = await redis.commands.set(
      `${namespace}:measuring`,
      id,
      'PX',
      Math.ceil(settings.sampleMs * 0.9),
      'NX',
    );
    if (isOurs !== 'OK') return;
    const levels = levelsOf(await lookAround(kernel, admins));
    for (const [key, seconds] of slotsAt(namespace, Date.now())) {
      const known = await redis.commands.hmget(key, ...LEVELS);
      const highest = LEVELS.map((name, index) => [name, Math.max(levels[name], Number(known[index] ?? 0))] as const);
      await redis.commands.hset(key, Object.fromEntries(highest));
      await redis.commands.expire(key, seconds);
    }
  }

  const attempt = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: Error) => log.debug({ error }, 'could not report the health of this node'));
  // Separate, because sampling may take long and a late heartbeat would make this node look gone.
  const reporting = oneAtATime(() => attempt(report));
  const measuring = oneAtATime(() => attempt(measure));
  reporting.begin();
  const timer = setInterval(() => {
    reporting.begin();
    measuring.begin();
  }, settings.sampleMs);
  lifecycle.on('jobs', 'node report', async () => {
    clearInterval(timer);
    await Promise.all([reporting.ended(), measuring.ended()]);
    await attempt(() => beats.remove(id));
  });
}

/** Does nothing while the previous run is still in progress. */
function oneAtATime(work: () => Promise<void>) {
  let current: Promise<void> | undefined;
  return {
    begin(): void {
      current ??= work().finally(() => {
        current = undefined;
      });
    },
    ended: () => current ?? Promise.resolve(),
  };
}

/** The history slots of a moment and their expiry: the span plus a step to compute differences from. */
const slotsAt = (namespace: string, at: number): (readonly [string, number])[] =>
  (Object.keys(SPANS) as Span[]).map((span) => {
    const { stepSeconds, steps } = SPANS[span];
    return [slotKey(namespace, span, Math.floor(at / 1000 / stepSeconds)), (steps + 2) * stepSeconds] as const;
  });

/** Sends a worker's heartbeat, and detects when the worker has stalled: then only another process helps. */
import { utimesSync, writeFileSync } from 'node:fs';
import type { Kernel } from '../kernel';
import { openBriefRedis } from '../redis/brief';
import type { Keyspace } from '../redis/connections';
import { openStallDetection, type Look } from './stall-detection';
import { openHeartbeat } from './heartbeat';
import { startWatchdog } from './watchdog';

type Parts = Keyspace & Pick<Kernel, 'jobs' | 'lifecycle' | 'log' | 'running' | 'settings'>;

export interface WorkerHealth {
  /** What is wrong with this worker; undefined while it is healthy. */
  readonly trouble: () => string | undefined;
}

export interface WorkerHealthSettings {
  /** Touched with every good beat; empty for none. A supervisor may check its age. */
  readonly heartbeatFile: string;
  /** Called when the process cannot recover. */
  readonly onStall: (reason: string) => void;
}

export function watchWorkerHealth(kernel: Parts, { heartbeatFile, onStall }: WorkerHealthSettings): WorkerHealth {
  const { settings, log } = kernel;
  const heartbeat = openHeartbeat(kernel);
  const stalls = openStallDetection(settings.workerDeafMs);
  const watchdog = startWatchdog(settings.workerDeafMs);
  let silentSince: number | undefined;
  let trouble: string | undefined;
  let beating: Promise<void> = Promise.resolve();

  /** Redis answers a new connection, but not ours. */
  async function isOurFault(): Promise<boolean> {
    try {
      const redis = await openBriefRedis(settings, settings.redisDeadlineMs * 2);
      redis.disconnect();
      return true;
    } catch {
      return false;
    }
  }

  async function check(now: number): Promise<string | undefined> {
    try {
      await heartbeat.beat();
      const stalled = stalls.observe(await lookAtQueues(kernel), now);
      silentSince = undefined;
      return stalled.length > 0 ? `takes no jobs of ${stalled.join(', ')} though some wait` : undefined;
    } catch (error) {
      log.debug({ error }, 'could not write a heartbeat');
      // An outage is no stall. But Redis may be reachable for everybody else.
      silentSince = (await isOurFault()) ? (silentSince ?? now) : undefined;
      const isStalled = silentSince !== undefined && now - silentSince >= settings.workerDeafMs;
      return isStalled ? 'Redis does not answer this process though it answers others' : undefined;
    }
  }

  async function beat(): Promise<void> {
    trouble = await check(Date.now());
    if (trouble === undefined) touch(heartbeatFile);
    else onStall(trouble);
  }

  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, settings.workerBeatMs);
  beating = beat();
  kernel.lifecycle.on('jobs', 'heartbeat', async () => {
    clearInterval(timer);
    watchdog.stop();
    await beating;
  });
  kernel.lifecycle.on('outbox', 'heartbeat', async () => {
    await heartbeat.beat().catch(() => {});
    await heartbeat.end().catch(() => {});
  });
  return { trouble: () => trouble };
}

/** Looks at every queue of this process. */
function lookAtQueues(kernel: Pick<Kernel, 'jobs' | 'running'>): Promise<Look[]> {
  return Promise.all(
    kernel.running.list().map(async ({ queue: name, concurrency, running, taken }) => {
      const queue = await kernel.jobs.registry.queue(name);
      const [[oldestWaiting = null], isPaused] = await Promise.all([
        // Tenants' jobs have priorities: the first of them is the next to be taken.
        queue.getRanges(['waiting', 'prioritized'], 0, 0, true),
        queue.isPaused(),
      ]);
      return { queue: name, oldestWaiting, isPaused, taken, hasHandsFree: running.size < concurrency };
    }),
  );
}

function touch(path: string): void {
  if (path === '') return;
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    writeFileSync(path, '');
  }
}

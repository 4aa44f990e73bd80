/** Sends a worker's heartbeat, and detects when the worker has stalled: then only another process helps. */
import { utimesSync, writeFileSync } from 'node:fs';
import type { Kernel } from '../kernel';
import { openBriefRedis } from '../redis/brief';
import type { Keyspace } from '../redis/connections';
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
  const stalls = openStallDetection(settings.workerStallMs);
  const stopWatchdog = startWatchdog(settings.workerStallMs);
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
      const isStalled = silentSince !== undefined && now - silentSince >= settings.workerStallMs;
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
    stopWatchdog();
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
      return { queue: name, oldestWaiting, isPaused, taken, hasFreeSlot: running.size < concurrency };
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

/** The state of one queue at one moment. */
export interface Look {
  readonly queue: string;
  /** The job that waits longest; null if none waits. */
  readonly oldestWaiting: string | null;
  readonly isPaused: boolean;
  /** How many jobs this worker has taken in all. */
  readonly taken: number;
  readonly hasFreeSlot: boolean;
}

/** Distinguishes a stalled worker from an idle one: jobs wait, it has free capacity, and it takes none. */
export function openStallDetection(afterMs: number) {
  const suspicions = new Map<string, { look: Look; since: number }>();

  return {
    /** Queues that should have been served for at least the configured time, but were not. */
    observe(looks: readonly Look[], now: number): string[] {
      for (const look of looks) {
        const before = suspicions.get(look.queue);
        if (look.oldestWaiting === null || look.isPaused || !look.hasFreeSlot) suspicions.delete(look.queue);
        else if (!before || before.look.taken !== look.taken || before.look.oldestWaiting !== look.oldestWaiting) {
          suspicions.set(look.queue, { look, since: now });
        }
      }
      return [...suspicions].filter(([, { since }]) => now - since >= afterMs).map(([queue]) => queue);
    },
  };
}

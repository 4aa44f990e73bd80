/** A worker's heartbeat in Redis: its identity and current jobs. It expires when the worker stops beating. */
import { hostname } from 'node:os';
import { newId } from '../id';
import type { Kernel } from '../kernel';
import type { Keyspace } from '../redis/connections';
import { maskSecrets } from '../secrets/mask';
import { openBeats } from '../redis/beats';
import { runPipeline } from '../redis/run-pipeline';
import type { WorkerSlot } from './running';
import { noteQueueNames } from './queue-registry';
import { addCounters } from './counters';

export interface WorkerBeat {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly beatAt: string;
  readonly isDraining: boolean;
  readonly memoryBytes: number;
  readonly queues: readonly {
    readonly queue: string;
    readonly concurrency: number;
    readonly taken: number;
    readonly running: readonly { readonly id: string; readonly since: string; readonly payload: unknown }[];
  }[];
}

/** A worker that misses this many beats counts as gone. */
const BEATS_KEPT = 3;
const MAX_SHOWN = 20;

export function openHeartbeat(kernel: Keyspace & Pick<Kernel, 'lifecycle' | 'running' | 'settings'>) {
  const id = newId();
  const startedAt = new Date().toISOString();
  const { redis, namespace, settings } = kernel;
  const beats = openBeats<WorkerBeat>(kernel, 'worker');

  return {
    async beat(): Promise<void> {
      const slots = kernel.running.list();
      const beat: WorkerBeat = {
        id,
        name: settings.nodeName,
        host: hostname(),
        pid: process.pid,
        startedAt,
        beatAt: new Date().toISOString(),
        isDraining: !kernel.lifecycle.ready(),
        memoryBytes: process.memoryUsage.rss(),
        queues: slots.map(describe),
      };
      const counted = slots.map(({ queue, counters }) => ({ queue, counts: counters.take() }));
      const pipeline = redis.commands.pipeline();
      beats.add(pipeline, beat, settings.workerBeatMs * BEATS_KEPT);
      for (const { queue, counts } of counted) addCounters(pipeline, namespace, queue, counts);
      await runPipeline(pipeline);
      if (slots.length > 0) {
        await noteQueueNames(
          redis.commands,
          namespace,
          slots.map(({ queue }) => queue),
        );
      }
    },
    end: () => beats.remove(id),
  };
}

function describe({ queue, concurrency, taken, running }: WorkerSlot): WorkerBeat['queues'][number] {
  const shown = [...running.values()].slice(0, MAX_SHOWN).map(({ id, since, payload }) => ({
    id,
    since: new Date(since).toISOString(),
    payload: maskSecrets(payload),
  }));
  return { queue, concurrency, taken, running: shown };
}

/** Workers whose last beat has not expired, ordered by name. */
export async function listWorkers(keyspace: Keyspace): Promise<WorkerBeat[]> {
  const beats = await openBeats<WorkerBeat>(keyspace, 'worker').list();
  return beats.sort((a, b) => (a.name === b.name ? a.pid - b.pid : a.name < b.name ? -1 : 1));
}

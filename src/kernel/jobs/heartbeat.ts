/** A worker's heartbeat in Redis: its identity and current jobs. It expires when the worker stops beating. */
import { hostname } from 'node:os';
import { newId } from '../id';
import type { Kernel } from '../kernel';
import type { Keyspace } from '../redis/connections';
import { maskSecrets } from '../secrets/mask';
import { installationKey } from '../redis/keys';
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

const listKey = (namespace: string): string => installationKey(namespace, 'workers');
const beatKey = (namespace: string, id: string): string => installationKey(namespace, `worker:${id}`);

export function openHeartbeat(kernel: Keyspace & Pick<Kernel, 'lifecycle' | 'running' | 'settings'>) {
  const id = newId();
  const startedAt = new Date().toISOString();
  const { redis, namespace, settings } = kernel;

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
      pipeline.set(beatKey(namespace, id), JSON.stringify(beat), 'PX', settings.workerBeatMs * BEATS_KEPT);
      pipeline.sadd(listKey(namespace), id);
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
    /** Removes the heartbeat of a worker that ended in order, instead of waiting until it expires. */
    async end(): Promise<void> {
      await redis.commands.pipeline().del(beatKey(namespace, id)).srem(listKey(namespace), id).exec();
    },
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
export async function listWorkers({ redis, namespace }: Keyspace): Promise<WorkerBeat[]> {
  const ids = await redis.commands.smembers(listKey(namespace));
  if (ids.length === 0) return [];
  const beats = await redis.commands.mget(ids.map((id) => beatKey(namespace, id)));
  const gone = ids.filter((_, index) => beats[index] === null);
  if (gone.length > 0) await redis.commands.srem(listKey(namespace), ...gone);
  return beats
    .flatMap((beat) => (typeof beat === 'string' ? [JSON.parse(beat) as WorkerBeat] : []))
    .sort((a, b) => (a.name === b.name ? a.pid - b.pid : a.name < b.name ? -1 : 1));
}

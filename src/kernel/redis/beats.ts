/** Heartbeats of processes in Redis: each expires when its process stops, and a set has the ids of all. */
import type { Redis } from 'ioredis';
import type { Keyspace } from './connections';
import { installationKey } from './keys';

export function openBeats<Beat extends { readonly id: string }>(
  { redis: { commands }, namespace }: Keyspace,
  kind: 'node' | 'worker',
) {
  const listKey = installationKey(namespace, `${kind}s`);
  const keyOf = (id: string): string => installationKey(namespace, `${kind}:${id}`);
  return {
    /** Adds a beat, which expires after this time, to the commands of a pipeline. */
    add(pipeline: ReturnType<Redis['pipeline']>, beat: Beat, keptMs: number): void {
      pipeline.set(keyOf(beat.id), JSON.stringify(beat), 'PX', keptMs).sadd(listKey, beat.id);
    },
    /** Removes the beat of a process that ended in order, instead of waiting until it expires. */
    async remove(id: string): Promise<void> {
      await commands.pipeline().del(keyOf(id)).srem(listKey, id).exec();
    },
    async list(): Promise<Beat[]> {
      const ids = await commands.smembers(listKey);
      if (ids.length === 0) return [];
      const beats = await commands.mget(ids.map(keyOf));
      const gone = ids.filter((_, index) => beats[index] === null);
      if (gone.length > 0) await commands.srem(listKey, ...gone);
      return beats.flatMap((beat) => (typeof beat === 'string' ? [JSON.parse(beat) as Beat] : []));
    },
  };
}

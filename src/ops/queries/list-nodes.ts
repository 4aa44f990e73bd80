/** Lists the live nodes from their heartbeats in Redis, which expire when a node stops. */
import type { Kernel } from '../../kernel/kernel';
import { installationKey } from '../../kernel/redis/keys';
import type { NodeBeat } from '../model/node-beat';

export const nodeListKey = (namespace: string): string => installationKey(namespace, 'nodes');
export const nodeKey = (namespace: string, id: string): string => installationKey(namespace, `node:${id}`);

/** Sorted by name. */
export async function listNodes({ redis: { commands }, namespace }: Kernel): Promise<NodeBeat[]> {
  const ids = await commands.smembers(nodeListKey(namespace));
  if (ids.length === 0) return [];
  const beats = await commands.mget(ids.map((id) => nodeKey(namespace, id)));
  const gone = ids.filter((_, index) => beats[index] === null);
  if (gone.length > 0) await commands.srem(nodeListKey(namespace), ...gone);
  return beats
    .flatMap((beat) => (typeof beat === 'string' ? [JSON.parse(beat) as NodeBeat] : []))
    .sort((a, b) => a.name.localeCompare(b.name) || a.pid - b.pid);
}

/** Reads what nodes report to Redis: heartbeats, and the metrics of the last hour or day. */
import type { Keyspace } from '../../kernel/redis/connections';
import { installationKey } from '../../kernel/redis/keys';
import { runPipeline } from '../../kernel/redis/run-pipeline';
import { historyObject, stepsUntil, type Slot, type Span } from '../model/history';
import type { NodeBeat } from '../model/pace';

/** Lists the live nodes from their heartbeats in Redis, which expire when a node stops. */
export const nodeListKey = (namespace: string): string => installationKey(namespace, 'nodes');
export const nodeKey = (namespace: string, id: string): string => installationKey(namespace, `node:${id}`);

/** Sorted by name. */
export async function listNodes({ redis: { commands }, namespace }: Keyspace): Promise<NodeBeat[]> {
  const ids = await commands.smembers(nodeListKey(namespace));
  if (ids.length === 0) return [];
  const beats = await commands.mget(ids.map((id) => nodeKey(namespace, id)));
  const gone = ids.filter((_, index) => beats[index] === null);
  if (gone.length > 0) await commands.srem(nodeListKey(namespace), ...gone);
  return beats
    .flatMap((beat) => (typeof beat === 'string' ? [JSON.parse(beat) as NodeBeat] : []))
    .sort((a, b) => a.name.localeCompare(b.name) || a.pid - b.pid);
}

/** Reads the metrics of the last hour or day, step by step. */
export const slotKey = (namespace: string, span: Span, step: number): string =>
  installationKey(namespace, `history:${span}:${step}`);

export async function readHistory({ redis, namespace }: Keyspace, span: Span) {
  const now = Date.now() / 1000;
  const pipeline = redis.commands.pipeline();
  for (const step of stepsUntil(now, span)) pipeline.hgetall(slotKey(namespace, span, step));
  return historyObject((await runPipeline(pipeline)) as Slot[], span, now);
}

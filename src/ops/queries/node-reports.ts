/** Reads what nodes report to Redis: heartbeats, and the metrics of the last hour or day. */
import { openBeats } from '../../kernel/redis/beats';
import type { Keyspace } from '../../kernel/redis/connections';
import { installationKey } from '../../kernel/redis/keys';
import { runPipeline } from '../../kernel/redis/run-pipeline';
import { historyObject, stepsUntil, type Slot, type Span } from '../model/history';
import type { NodeBeat } from '../model/pace';

/** The live nodes, sorted by name. */
export async function listNodes(keyspace: Keyspace): Promise<NodeBeat[]> {
  const beats = await openBeats<NodeBeat>(keyspace, 'node').list();
  return beats.sort((a, b) => a.name.localeCompare(b.name) || a.pid - b.pid);
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

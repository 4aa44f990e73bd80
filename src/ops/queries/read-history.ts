/** Reads the metrics of the last hour or day, step by step. */
import type { Kernel } from '../../kernel/kernel';
import { installationKey } from '../../kernel/redis/keys';
import { runPipeline } from '../../kernel/redis/run-pipeline';
import { pointsOf, stepsUntil, type Point, type Slot, type Span } from '../model/history';

export const slotKey = (namespace: string, span: Span, step: number): string =>
  installationKey(namespace, `history:${span}:${step}`);

export async function readHistory({ redis, namespace }: Kernel, span: Span): Promise<Point[]> {
  const now = Date.now() / 1000;
  const pipeline = redis.commands.pipeline();
  for (const step of stepsUntil(now, span)) pipeline.hgetall(slotKey(namespace, span, step));
  return pointsOf((await runPipeline(pipeline)) as Slot[], span, now);
}

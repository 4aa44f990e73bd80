/** Runs a pipeline and gives its replies; a command of it that failed fails the whole. */
import type { Redis } from 'ioredis';

export async function runPipeline(pipeline: ReturnType<Redis['pipeline']>): Promise<unknown[]> {
  const replies = (await pipeline.exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
}

/** Runs a pipeline and returns its replies. If one command fails, the whole call fails. */
import type { Redis } from 'ioredis';

export async function runPipeline(pipeline: ReturnType<Redis['pipeline']>): Promise<unknown[]> {
  const replies = (await pipeline.exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
}

/** The memory of this process after a garbage collection. */
import { Session } from 'node:inspector/promises';
import { memoryUsage } from 'node:process';

export interface Memory {
  readonly residentBytes: number;
  readonly heapBytes: number;
}

/** Collects as V8 does when memory is short, which also returns empty pages. */
export async function collectedMemory(): Promise<Memory> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  const { rss: residentBytes, heapUsed: heapBytes } = memoryUsage();
  return { residentBytes, heapBytes };
}

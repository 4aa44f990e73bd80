/** Ours: a node that reports its memory after a garbage collection. */
import { Session } from 'node:inspector/promises';
import { memoryUsage } from 'node:process';
import { loadConfig } from '../../config';
import { openNode } from '../../src/node';
import { program, type Shape } from '../harness/program';

export interface MeasuredNode extends Shape {
  readonly options: Readonly<Record<string, string>>;
  readonly ready: { readonly port: number };
  readonly order: 'memory';
  readonly report: { readonly residentBytes: number; readonly heapBytes: number };
}

/** Collects as V8 does when memory is short, which also returns empty pages. */
async function collect(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

program<MeasuredNode>(async (environment) => {
  const { port } = await openNode(loadConfig(environment));
  return {
    ready: { port },
    async run() {
      await collect();
      const { rss: residentBytes, heapUsed: heapBytes } = memoryUsage();
      return { residentBytes, heapBytes };
    },
  };
});

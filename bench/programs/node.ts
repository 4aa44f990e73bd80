/** Ours: a node that says how much memory it holds, after a collection of its garbage. */
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

/** As V8 collects when memory is short: it also gives pages back that hold nothing any more. */
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

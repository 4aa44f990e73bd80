/** Ours: a node that reports its memory after a garbage collection. */
import { loadConfig } from '../../config';
import { openNode } from '../../src/node';
import { program, type Shape } from '../harness/program';
import { collectedMemory, type Memory } from './memory';

export interface MeasuredNode extends Shape {
  readonly options: Readonly<Record<string, string>>;
  readonly ready: { readonly port: number };
  readonly order: 'memory';
  readonly report: Memory;
}

program<MeasuredNode>(async (environment) => {
  const { port } = await openNode(loadConfig(environment));
  return { ready: { port }, run: collectedMemory };
});

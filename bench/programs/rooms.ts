/** Ours: the kernel's sockets as a node opens them, with the benchmarks' session. */
import { loadConfig } from '../../config';
import { openKernel } from '../../src/kernel/kernel';
import { openSockets } from '../../src/kernel/socket/server';
import { program, type Shape } from '../harness/program';
import { listen } from './bare/listen';
import { roomSession } from './room';

export interface Rooms extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>> };
  readonly ready: { readonly port: number };
}

program<Rooms>(async ({ environment }) => {
  const config = loadConfig(environment);
  const kernel = await openKernel(config);
  const { server, port } = await listen();
  const io = openSockets(
    kernel,
    server,
    config,
    roomSession(() => io),
  );
  return { ready: { port } };
});

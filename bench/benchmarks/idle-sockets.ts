/** Memory per idle authenticated socket on one node, compared with bare Socket.IO. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { pairsByName, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { startNode } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import { watchProcess } from '../harness/watch';
import type { IdleSockets } from '../load/idle-sockets';
import type { BareCompany } from '../programs/bare/company';

const NAME = 'idle-sockets';
const TOKEN = 'demo-key-one';
const CLIENTS = 10_000;
/** Enough for a smoke test. */
const FEW = 1000;
/** Connecting leaves garbage to collect. */
const SETTLE_MS = 5000;
const CAPS = { MAX_SOCKETS: '20000', SOCKETS_PER_KEY: '20000', SOCKETS_PER_ADDRESS: '20000' };

export const idleSocketsSuite: Suite = {
  benchmarks: [
    {
      name: NAME,
      about: `${CLIENTS} authenticated sockets on one node, idle; memory of each`,
      limit: 'as many sockets of bare Socket.IO with the Redis adapter',
      unit: 'second',
      idle: true,
      figures: [
        {
          name: 'memory of a socket',
          from: 'memory',
          unit: 'KB',
          target: { of: 'ratio', is: 'at most', value: 1.3 },
        },
        { name: 'server CPU', from: 'cpu server', unit: '%', scale: 1e-4 },
      ],
    },
  ],
  async open(bench) {
    const { redisUrl, environment } = bench;
    const bare = await startProgram<BareCompany>('programs/bare/company', {
      redisUrl,
      key: `${environment['NAMESPACE']}:idle`,
    });
    const limit = await crowded(bench, bare.pid, bare.ready.port);
    const node = await startNode(bench, CAPS);
    return pairsByName({ [NAME]: { limit, ours: await crowded(bench, node.pid, node.port) } });
  },
};

/** Fills a server with sockets and measures the additional memory per socket. */
async function crowded({ pace, signal }: Bench, pid: number, port: number): Promise<Side> {
  const clients = pace.idleMs < 10_000 ? FEW : CLIENTS;
  await wait(SETTLE_MS, undefined, { signal });
  const before = memoryOf(pid);
  await startProgram<IdleSockets>('load/idle-sockets', { port, clients, token: TOKEN });
  await wait(SETTLE_MS, undefined, { signal });
  return {
    watched: [watchProcess('server', { pid })],
    async run(milliseconds) {
      await wait(milliseconds, undefined, { signal });
      return { units: milliseconds / 1000, figures: { memory: (memoryOf(pid) - before) / clients } };
    },
  };
}

/** Resident memory in kilobytes. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

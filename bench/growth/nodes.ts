/** Sweep over nodes with the same thousand polls: what another node costs Redis and the other nodes. */
import { setTimeout as wait } from 'node:timers/promises';
import { messagesTo, pollHead, registerQueues } from '../benchmarks/queues';
import type { Watched } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { processCpu } from '../harness/cpu';
import { openCrowd } from '../harness/crowd';
import { startNode, type NodeProcess } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import type { Sweep } from '../harness/sweep';
import { watchProcess } from '../harness/watch';
import type { PollersLoad } from '../load/pollers';

const POLLS = 1000;
const SENDERS = 8;
const OUTSTANDING = 8;

/** All nodes as one server. */
const together = (nodes: readonly NodeProcess[]): Watched => ({
  name: 'server',
  pid: nodes[0]!.pid,
  cpu: () => Promise.resolve(nodes.reduce((sum, { pid }) => sum + processCpu(pid), 0)),
});

const QUIET_SECONDS = 3;

/** Redis CPU per second while polls wait and nothing is sent, which is not part of a message's cost. */
async function quietRedis({ redis, signal }: Bench): Promise<number> {
  const before = await redis.cpu();
  await wait(QUIET_SECONDS * 1000, undefined, { signal });
  return ((await redis.cpu()) - before) / QUIET_SECONDS;
}

export const nodesSweep: Sweep = {
  name: 'growth-nodes',
  about: `${POLLS} waiting polls spread over the nodes, ${OUTSTANDING} messages outstanding, which all of them hear`,
  across: 'nodes',
  unit: 'delivery',
  points: [1, 2, 3, 4],
  quickPoints: [1, 2],
  async open(bench, count) {
    const crowd = await openCrowd(bench);
    const people = crowd.people.slice(0, POLLS);
    await crowd.stream('thousand', POLLS);
    const nodes = await Promise.all(
      Array.from({ length: count }, () => startNode(bench, { EVENTS_RATE_LIMIT: '60:100000000' })),
    );
    const portOf = (at: number) => nodes[at % count]!.port;
    const queues = await registerQueues(portOf(0), people);
    const load = await startProgram<PollersLoad>('load/pollers', {
      polls: queues.map(({ person, id }, at) => ({ port: portOf(at), head: pollHead(person), queueId: id })),
      sends: messagesTo('thousand', people),
      sendPorts: Array.from({ length: SENDERS }, (_, at) => portOf(at)),
    });
    const quiet = await quietRedis(bench);
    return {
      watched: [together(nodes), bench.redis, ...bench.mariadb, watchProcess('load', load)],
      async run(milliseconds) {
        const { units, figures } = await load.run({ kind: 'outstanding', milliseconds, outstanding: OUTSTANDING });
        return { units, figures: { ...figures, 'quiet redis µs/s': quiet } };
      },
    };
  },
};

/** Sweep over nodes with the same thousand polls: what another node costs Redis and the other nodes. */
import { setTimeout as wait } from 'node:timers/promises';
import { messagesTo, pollHead, registerQueues, type Queue } from '../benchmarks/queues';
import type { Watched } from '../harness/benchmark';
import { startProgram, type Program } from '../harness/children';
import { processCpu } from '../harness/cpu';
import { openCrowd, type Person } from '../harness/crowd';
import { startNode, type NodeProcess } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import type { Sweep } from '../harness/sweep';
import type { PollersLoad } from '../load/pollers';

const POLLS = 1000;
const SENDERS = 8;
const OUTSTANDING = 8;
/** One load process can follow what two nodes send. */
const NODES_PER_LOAD = 2;

/** Several processes as one. */
const together = (name: string, processes: readonly { readonly pid: number }[]): Watched => ({
  name,
  pid: processes[0]!.pid,
  processes: processes.length,
  cpu: () => Promise.resolve(processes.reduce((sum, { pid }) => sum + processCpu(pid), 0)),
});

interface Load {
  readonly nodes: readonly NodeProcess[];
  readonly people: readonly Person[];
  readonly queues: readonly Queue[];
}

/** All nodes have as many polls. The first process sends. */
async function startLoads({ nodes, people, queues }: Load): Promise<Program<PollersLoad>[]> {
  const polls = queues.map(({ person, id }, at) => ({ node: at % nodes.length, head: pollHead(person), queueId: id }));
  const [own = [], ...others] = Array.from({ length: Math.ceil(nodes.length / NODES_PER_LOAD) }, (_, process) =>
    polls
      .filter(({ node }) => Math.floor(node / NODES_PER_LOAD) === process)
      .map(({ node, ...poll }) => ({ port: nodes[node]!.port, ...poll })),
  );
  const first = await startProgram<PollersLoad>('load/pollers', {
    polls: own,
    sends: messagesTo('thousand', people),
    sendPorts: Array.from({ length: SENDERS }, (_, at) => nodes[at % nodes.length]!.port),
    others: { processes: others.length, clients: polls.length - own.length },
  });
  const { relay } = first.ready;
  const more = others.map((each) =>
    startProgram<PollersLoad>('load/pollers', { polls: each, sends: [], sendPorts: [], relay }),
  );
  return [first, ...(await Promise.all(more))];
}

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
    const queues = await registerQueues(nodes[0]!.port, people);
    const loads = await startLoads({ nodes, people, queues });
    const quiet = await quietRedis(bench);
    return {
      watched: [together('server', nodes), bench.redis, ...bench.mariadb, together('load', loads)],
      async run(milliseconds) {
        const { units, figures } = await loads[0]!.run({ kind: 'outstanding', milliseconds, outstanding: OUTSTANDING });
        return { units, figures: { ...figures, 'quiet redis µs/s': quiet } };
      },
    };
  },
};

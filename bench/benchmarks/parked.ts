/** Fifteen thousand polls held by one node: what they cost in memory, and in CPU time while nothing happens. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { pairsByName, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { PollersLoad } from '../load/pollers';
import type { BareServer } from '../programs/koa-hello';
import { pollHead, registerQueues } from './queues';

const POLLS = 15_000;
/** Each has several, as people have programs. */
const PEOPLE = 1000;
const SETTLE_MS = 3000;
/** By then those who came first have had theirs, and others' are due all the time. */
const BEATING_MS = 60_000;
/** Three times as long as others that idle: half a minute. */
const LONGER = 3;
const PER_CENT = 1e-4;

const residentKiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

function suiteOf(name: string, heartbeats: boolean): Suite {
  return {
    benchmarks: [
      {
        name,
        about: `${POLLS} held polls in one process, ${heartbeats ? 'with' : 'without'} heartbeats`,
        limit: 'an idle bare Koa',
        unit: 'second',
        idle: true,
        figures: [
          {
            name: 'server CPU',
            from: 'cpu server',
            unit: '%',
            scale: PER_CENT,
            target: { of: 'ours', is: 'at most', value: heartbeats ? 6 : 1 },
          },
          { name: 'memory per poll', from: 'memory', unit: 'KiB', target: { of: 'ours', is: 'at most', value: 12 } },
        ],
      },
    ],
    async open(bench) {
      const { signal, redis, mariadb } = bench;
      const crowd = await openCrowd(bench);
      const people = crowd.people.slice(0, PEOPLE);
      // Polls are meant to be held through the whole measurement, or to beat as they do by default.
      const beats = heartbeats ? {} : { HEARTBEAT_MIN_MS: '590000', HEARTBEAT_MAX_MS: '599000' };
      const [hello, node] = await Promise.all([
        startProgram<BareServer>('programs/koa-hello', null),
        startNode(bench, { EVENTS_RATE_LIMIT: '60:100000000', ...beats }),
      ]);
      // A fresh node's, so that what registering leaves behind counts as well.
      const before = residentKiB(node.pid);
      const queues = await registerQueues(
        node.port,
        Array.from({ length: POLLS }, (_, at) => people[at % PEOPLE]!),
      );
      await startProgram<PollersLoad>('load/pollers', {
        polls: queues.map(({ person, id }) => ({ port: node.port, head: pollHead(person), queueId: id })),
        sends: [],
        sendPorts: [],
      });
      await wait(heartbeats ? BEATING_MS : SETTLE_MS, undefined, { signal });
      const run = async (idleMs: number) => {
        const milliseconds = idleMs * LONGER;
        await wait(milliseconds, undefined, { signal });
        const memory = (residentKiB(node.pid) - before) / POLLS;
        return { units: milliseconds / 1000, figures: { memory } };
      };
      const limit: Side = {
        watched: [watchProcess('server', hello)],
        run: async (milliseconds) => ({ ...(await run(milliseconds)), figures: {} }),
      };
      const ours: Side = { watched: [watchProcess('server', node), redis, ...mariadb], run };
      return pairsByName({ [name]: { limit, ours } });
    },
  };
}

export const parkedSuites: readonly Suite[] = [suiteOf('parked', false), suiteOf('parked-beating', true)];

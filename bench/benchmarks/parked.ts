/**
 * Fifteen thousand polls waiting on one node: their memory, and CPU while nothing happens. The memory is the difference
 * between all polls waiting and only their queues registered, each time after a garbage collection that returns free
 * pages. It includes a poll's connection, but neither its queue nor garbage, whose amount depends on
 * `--max-semi-space-size` and not on polls.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { pairsByName, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { watchProcess } from '../harness/watch';
import type { PollersLoad } from '../load/pollers';
import type { BareServer } from '../programs/bare/koa-hello';
import type { MeasuredNode } from '../programs/node';
import { pollHead, registerQueues } from './queues';

const POLLS = 15_000;
/** Each has several, as people have several clients. */
const PEOPLE = 1000;
const SETTLE_MS = 3000;
/** By then the first polls have had their heartbeats, and others are due all the time. */
const BEATING_MS = 60_000;
/** Three times as long as other idle benchmarks: half a minute. */
const LONGER = 3;
const PER_CENT = 1e-4;

const perPoll = (bytes: number): number => bytes / 1024 / POLLS;

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
          { name: 'of it in the heap', from: 'heap', unit: 'KiB' },
        ],
      },
    ],
    async open(bench) {
      const { signal, redis, mariadb } = bench;
      const crowd = await openCrowd(bench);
      const people = crowd.people.slice(0, PEOPLE);
      // Polls either wait through the whole measurement, or get heartbeats as by default.
      const beats = heartbeats ? {} : { HEARTBEAT_MIN_MS: '590000', HEARTBEAT_MAX_MS: '599000' };
      const [hello, node] = await Promise.all([
        startProgram<BareServer>('programs/bare/koa-hello', null),
        startProgram<MeasuredNode>('programs/node', {
          ...bench.environment,
          EVENTS_RATE_LIMIT: '60:100000000',
          PORT: '0',
          ...beats,
        }),
      ]);
      const { port } = node.ready;
      const queues = await registerQueues(
        port,
        Array.from({ length: POLLS }, (_, at) => people[at % PEOPLE]!),
      );
      const before = await node.run('memory');
      await startProgram<PollersLoad>('load/pollers', {
        polls: queues.map(({ person, id }) => ({ port, head: pollHead(person), queueId: id })),
        sends: [],
        sendPorts: [],
      });
      await wait(heartbeats ? BEATING_MS : SETTLE_MS, undefined, { signal });
      const after = await node.run('memory');
      const held = {
        memory: perPoll(after.residentBytes - before.residentBytes),
        heap: perPoll(after.heapBytes - before.heapBytes),
      };
      const run = async (idleMs: number) => {
        const milliseconds = idleMs * LONGER;
        await wait(milliseconds, undefined, { signal });
        return { units: milliseconds / 1000, figures: {} };
      };
      const limit: Side = { watched: [watchProcess('server', hello)], run };
      const ours: Side = {
        watched: [watchProcess('server', node), redis, ...mariadb],
        run: async (milliseconds) => ({ ...(await run(milliseconds)), figures: held }),
      };
      return pairsByName({ [name]: { limit, ours } });
    },
  };
}

export const parkedSuites: readonly Suite[] = [suiteOf('parked', false), suiteOf('parked-beating', true)];

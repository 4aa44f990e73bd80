/**
 * Fifteen thousand polls waiting on one node: their memory, and CPU while nothing happens. The memory is the difference
 * between all polls waiting and only their queues registered, each time after a garbage collection that returns free
 * pages. It includes a poll's connection, but neither its queue nor garbage, whose amount depends on
 * `--max-semi-space-size` and not on polls. Nineteen thousand streams are measured in the same way, beside as many of a bare
 * server, and what their heartbeats cost.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { pairsByName, type Side, type Suite } from '../harness/benchmark';
import { startProgram, type Program } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { watchProcess } from '../harness/watch';
import type { PollersLoad } from '../load/pollers';
import type { BareStreams } from '../programs/bare/event-streams';
import type { BareServer } from '../programs/bare/koa-hello';
import type { MeasuredNode } from '../programs/node';
import { pollHead, registerQueues, type Queue } from './queues';

const POLLS = 15_000;
/** Each has several, as people have several clients. */
const PEOPLE = 1000;
const SETTLE_MS = 3000;
/** By then the first polls have had their heartbeats, and others are due all the time. */
const BEATING_MS = 60_000;
/** Three times as long as other idle benchmarks: half a minute. */
const LONGER = 3;
const PER_CENT = 1e-4;

/** Whoever waits does so through the whole measurement, or gets heartbeats as by default. */
const NO_HEARTBEATS = { HEARTBEAT_MIN_MS: '590000', HEARTBEAT_MAX_MS: '599000' };

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
      const [hello, node] = await Promise.all([
        startProgram<BareServer>('programs/bare/koa-hello', null),
        startProgram<MeasuredNode>('programs/node', {
          ...bench.environment,
          EVENTS_RATE_LIMIT: '60:100000000',
          PORT: '0',
          ...(heartbeats ? {} : NO_HEARTBEATS),
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

/** Nearly as many as a file limit of 20,000 allows. */
const STREAMS = 19_000;
/** Enough for a smoke test. */
const FEW = 500;

export const parkedStreamsSuite: Suite = {
  benchmarks: [
    {
      name: 'parked-streams',
      about: `${STREAMS} event streams in one process, without heartbeats`,
      limit: 'bare node:http with as many streams of server-sent events',
      unit: 'second',
      idle: true,
      figures: [
        { name: 'memory per stream', from: 'memory', unit: 'KiB', target: { of: 'ratio', is: 'at most', value: 1.3 } },
        { name: 'of it in the heap', from: 'heap', unit: 'KiB' },
        { name: 'server CPU', from: 'cpu server', unit: '%', scale: PER_CENT },
      ],
    },
    {
      name: 'parked-streams-beating',
      about: `${STREAMS} event streams in one process, with heartbeats`,
      limit: 'the same without heartbeats',
      unit: 'second',
      idle: true,
      figures: [
        {
          name: 'server CPU',
          from: 'cpu server',
          unit: '%',
          scale: PER_CENT,
          target: { of: 'excess', is: 'at most', value: 1 },
        },
      ],
    },
  ],
  async open(bench) {
    const { environment, pace, signal } = bench;
    const count = pace.idleMs < 10_000 ? FEW : STREAMS;
    const crowd = await openCrowd(bench);
    const people = Array.from({ length: count }, (_, at) => crowd.people[at % PEOPLE]!);
    const startNode = (more: Record<string, string>) =>
      startProgram<MeasuredNode>('programs/node', {
        ...environment,
        EVENTS_RATE_LIMIT: '60:100000000',
        PORT: '0',
        ...more,
      });

    /** Everything waits when it returns. */
    async function park(
      server: Pick<Program<MeasuredNode>, 'pid' | 'ready' | 'run'>,
      queues: readonly Queue[],
    ): Promise<Side> {
      const { port } = server.ready;
      const before = await server.run('memory');
      await startProgram<PollersLoad>('load/pollers', {
        polls: queues.map(({ person, id }) => ({ port, head: pollHead(person), queueId: id, isStream: true })),
        sends: [],
        sendPorts: [],
      });
      await wait(BEATING_MS, undefined, { signal });
      const after = await server.run('memory');
      const perStream = (bytes: number) => bytes / 1024 / count;
      const figures = {
        memory: perStream(after.residentBytes - before.residentBytes),
        heap: perStream(after.heapBytes - before.heapBytes),
      };
      return {
        watched: [watchProcess('server', server)],
        async run(idleMs) {
          const milliseconds = idleMs * LONGER;
          await wait(milliseconds, undefined, { signal });
          return { units: milliseconds / 1000, figures };
        },
      };
    }

    const [bare, quiet, beating] = await Promise.all([
      startProgram<BareStreams>('programs/bare/event-streams', null),
      startNode(NO_HEARTBEATS),
      startNode({}),
    ]);
    const queues = await registerQueues(quiet.ready.port, people);
    const sides = await Promise.all([
      park(bare, queues),
      park(quiet, queues),
      // Each queue has one stream only.
      registerQueues(beating.ready.port, people).then((own) => park(beating, own)),
    ]);
    return pairsByName({
      'parked-streams': { limit: sides[0], ours: sides[1] },
      'parked-streams-beating': { limit: sides[1], ours: sides[2] },
    });
  },
};

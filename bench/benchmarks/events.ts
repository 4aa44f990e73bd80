/**
 * Events to a thousand waiting polls, compared with as many clients that a bare Koa answers at once, and to a thousand
 * streams, compared with a bare server of streams that the same client follows.
 */
import {
  cpuOf,
  pairsByName,
  RATE,
  type Benchmark,
  type Figure,
  type Side,
  type Suite,
  type Target,
} from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { PollersLoad } from '../load/pollers';
import type { BareStreams } from '../programs/bare/event-streams';
import type { BareServer } from '../programs/bare/koa-hello';
import { messagesTo, pollHead, registerQueues } from './queues';

const CLIENTS = 1000;
const SENDERS = 8;
/** Polls are counted as by default, but the limit is high enough to refuse none. */
const COUNTED = { RATE_LIMIT: '60:200', EVENTS_RATE_LIMIT: '60:100000000' };

const atLeast = (value: number): Target => ({ of: 'ratio', is: 'at least', value });

const redisShare: Figure = {
  name: 'redis / server',
  from: 'share redis of server',
  unit: '%',
  target: { of: 'ours', is: 'at most', value: 3 },
};

export const eventsSuite: Suite = {
  benchmarks: [
    {
      name: 'events-1',
      about: `${CLIENTS} held polls, one message outstanding`,
      limit: `bare Koa, 1.2 KB of JSON, the same client on ${CLIENTS} connections`,
      unit: 'delivery',
      figures: [
        { ...RATE, target: atLeast(0.7) },
        cpuOf('server'),
        redisShare,
        { name: 'to the last, p50', from: 'last p50', unit: 'ms' },
      ],
    },
    {
      name: 'events-8',
      about: `${CLIENTS} held polls, eight messages outstanding`,
      limit: `bare Koa, 1.2 KB of JSON, the same client on ${CLIENTS} connections`,
      unit: 'delivery',
      figures: [{ ...RATE, target: atLeast(4) }, cpuOf('server'), redisShare],
    },
  ],
  async open(bench) {
    const crowd = await openCrowd(bench);
    const people = crowd.people.slice(0, CLIENTS);
    await crowd.stream('thousand', CLIENTS);
    const [hello, node] = await Promise.all([
      startProgram<BareServer>('programs/bare/koa-hello', null),
      startNode(bench, COUNTED),
    ]);
    const queues = await registerQueues(node.port, people);
    const sends = messagesTo('thousand', people);
    const [waiting, asking] = await Promise.all([
      startProgram<PollersLoad>('load/pollers', {
        polls: queues.map(({ person, id }) => ({ port: node.port, head: pollHead(person), queueId: id })),
        sends,
        sendPorts: Array.from({ length: SENDERS }, () => node.port),
      }),
      startProgram<PollersLoad>('load/pollers', {
        polls: people.map((person) => ({ port: hello.ready.port, head: pollHead(person) })),
        sends: [],
        sendPorts: [],
      }),
    ]);
    const limit: Side = {
      watched: [watchProcess('server', hello), watchProcess('load', asking)],
      run: (milliseconds) => asking.run({ kind: 'requests', milliseconds }),
    };
    const ours = (outstanding: number): Side => ({
      watched: [watchProcess('server', node), bench.redis, ...bench.mariadb, watchProcess('load', waiting)],
      run: (milliseconds) => waiting.run({ kind: 'outstanding', milliseconds, outstanding }),
    });
    return pairsByName({ 'events-1': { limit, ours: ours(1) }, 'events-8': { limit, ours: ours(8) } });
  },
};

const streamsOf = (name: string, outstanding: string): Benchmark => ({
  name,
  about: `${CLIENTS} event streams, ${outstanding} outstanding`,
  limit: 'bare node:http, 1.2 KB server-sent events, one write per stream, nothing kept',
  unit: 'delivery',
  figures: [
    RATE,
    { ...cpuOf('server'), target: { of: 'ratio', is: 'at most', value: 1.5 } },
    { name: 'to the last, p50', from: 'last p50', unit: 'ms' },
    { name: 'to the last, p95', from: 'last p95', unit: 'ms' },
  ],
});

export const streamsSuite: Suite = {
  benchmarks: [streamsOf('streams-1', 'one message'), streamsOf('streams-8', 'eight messages')],
  async open(bench) {
    const crowd = await openCrowd(bench);
    const people = crowd.people.slice(0, CLIENTS);
    await crowd.stream('thousand', CLIENTS);
    const [bare, node] = await Promise.all([
      startProgram<BareStreams>('programs/bare/event-streams', null),
      startNode(bench, COUNTED),
    ]);
    const queues = await registerQueues(node.port, people);
    const follow = (port: number) =>
      startProgram<PollersLoad>('load/pollers', {
        polls: queues.map(({ person, id }) => ({ port, head: pollHead(person), queueId: id, isStream: true })),
        sends: messagesTo('thousand', people),
        sendPorts: Array.from({ length: SENDERS }, () => port),
      });
    const [ours, theirs] = await Promise.all([follow(node.port), follow(bare.ready.port)]);
    const pair = (outstanding: number): { limit: Side; ours: Side } => ({
      limit: {
        watched: [watchProcess('server', bare), watchProcess('load', theirs)],
        run: (milliseconds) => theirs.run({ kind: 'outstanding', milliseconds, outstanding }),
      },
      ours: {
        watched: [watchProcess('server', node), bench.redis, ...bench.mariadb, watchProcess('load', ours)],
        run: (milliseconds) => ours.run({ kind: 'outstanding', milliseconds, outstanding }),
      },
    });
    return pairsByName({ 'streams-1': pair(1), 'streams-8': pair(8) });
  },
};

/** Events to a thousand waiting clients, compared with as many clients that a bare Koa answers at once. */
import { cpuOf, pairsByName, RATE, type Figure, type Side, type Suite, type Target } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { PollersLoad } from '../load/pollers';
import type { BareServer } from '../programs/bare/koa-hello';
import { messagesTo, pollHead, registerQueues } from './queues';

const POLLS = 1000;
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
      about: `${POLLS} held polls, one message outstanding`,
      limit: `bare Koa, 1.2 KB of JSON, the same client on ${POLLS} connections`,
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
      about: `${POLLS} held polls, eight messages outstanding`,
      limit: `bare Koa, 1.2 KB of JSON, the same client on ${POLLS} connections`,
      unit: 'delivery',
      figures: [{ ...RATE, target: atLeast(4) }, cpuOf('server'), redisShare],
    },
  ],
  async open(bench) {
    const crowd = await openCrowd(bench);
    const people = crowd.people.slice(0, POLLS);
    await crowd.stream('thousand', POLLS);
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

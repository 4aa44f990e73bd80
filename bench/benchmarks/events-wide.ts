/** Events beyond one node and a thousand queues: Redis CPU per message, and latency to the last poller. */
import { pairsByName, type Pair, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { HttpLoad } from '../load/http';
import type { PollersLoad } from '../load/pollers';
import type { BareServer } from '../programs/bare/koa-hello';
import { messagesTo, pollHead, registerQueues } from './queues';

const POLLS = 1000;
const SENDERS = 8;

/** The queues are not polled meanwhile, because touching them costs Redis extra that is not part of a message. */
export const redisSuite: Suite = {
  benchmarks: [
    {
      name: 'events-redis',
      about: 'a message for 10 000 queues',
      limit: 'the same for ten queues',
      unit: 'message',
      figures: [
        { name: 'redis CPU', from: 'cpu redis', unit: 'µs', target: { of: 'ratio', is: 'at most', value: 1.5 } },
        { name: 'rate', from: 'rate', unit: '/s' },
      ],
    },
  ],
  async open(bench) {
    const crowd = await openCrowd(bench);
    await crowd.stream('ten', 10);
    await crowd.stream('ten thousand', 10_000);
    const [load, node] = await Promise.all([startProgram<HttpLoad>('load/http', null), startNode(bench)]);
    await registerQueues(node.port, crowd.people);
    const side = (stream: string): Side => ({
      watched: [watchProcess('server', node), bench.redis, ...bench.mariadb],
      run: (milliseconds) =>
        load.run({
          port: node.port,
          request: messagesTo(stream, crowd.people.slice(0, SENDERS)),
          connections: SENDERS,
          milliseconds,
        }),
    });
    return pairsByName({ 'events-redis': { limit: side('ten'), ours: side('ten thousand') } });
  },
};

const WHOLE = 200;
const QUICK = 5;
const EVERY_MS = 1000;
const BURST_MS = 200;

export const lastSuite: Suite = {
  benchmarks: [
    {
      name: 'events-last',
      about: `one message a second, ${POLLS} pollers on two nodes: time to the last of them`,
      limit: `bare Koa: time until ${POLLS} requests are answered`,
      unit: 'delivery',
      figures: [
        { name: 'p50', from: 'last p50', unit: 'ms', target: { of: 'ratio', is: 'at most', value: 1.5 } },
        { name: 'p95', from: 'last p95', unit: 'ms', target: { of: 'ratio', is: 'at most', value: 3 } },
      ],
    },
  ],
  async open(bench) {
    const crowd = await openCrowd(bench);
    const people = crowd.people.slice(0, POLLS);
    await crowd.stream('thousand', POLLS);
    const counted = { RATE_LIMIT: '60:200' };
    const [hello, one, two] = await Promise.all([
      startProgram<BareServer>('programs/bare/koa-hello', null),
      startNode(bench, counted),
      startNode(bench, counted),
    ]);
    const nodes = [one, two];
    const queues = await registerQueues(one.port, people);
    const [waiting, asking] = await Promise.all([
      startProgram<PollersLoad>('load/pollers', {
        polls: queues.map(({ person, id }, at) => ({
          port: nodes[at % 2]!.port,
          head: pollHead(person),
          queueId: id,
        })),
        sends: messagesTo('thousand', people),
        sendPorts: nodes.map(({ port }) => port),
      }),
      startProgram<PollersLoad>('load/pollers', {
        polls: people.map((person) => ({ port: hello.ready.port, head: pollHead(person) })),
        sends: [],
        sendPorts: [],
      }),
    ]);
    /** A fixed count for the real measurement, whatever its duration; a few messages to warm up. */
    const { measureMs } = bench.pace;
    const countOf = (milliseconds: number) => (milliseconds === measureMs && measureMs > 1000 ? WHOLE : QUICK);
    const pair: Pair = {
      limit: {
        watched: [watchProcess('server', hello), watchProcess('load', asking)],
        run: (milliseconds) => asking.run({ kind: 'bursts', count: countOf(milliseconds), intervalMs: BURST_MS }),
      },
      ours: {
        watched: [watchProcess('server', one), bench.redis, ...bench.mariadb, watchProcess('load', waiting)],
        run: (milliseconds) => waiting.run({ kind: 'every', count: countOf(milliseconds), intervalMs: EVERY_MS }),
      },
    };
    return pairsByName({ 'events-last': pair });
  },
};

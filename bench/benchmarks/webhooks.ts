/** Deliveries of external services: accepting them, turning them into messages, and both at once in a burst. */
import {
  cpuOf,
  P50,
  P99,
  pairsByName,
  RATE,
  type Benchmark,
  type Figure,
  type Measurement,
  type Side,
  type Suite,
} from '../harness/benchmark';
import { startProgram, startScript } from '../harness/children';
import { startNode } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import { watchProcess } from '../harness/watch';
import type { DeliveryEcho } from '../load/delivery-echo';
import type { DeliveryLoad } from '../load/deliveries';
import type { BareDrain } from '../programs/bare/drain';
import type { BareWorker } from '../programs/bare/worker';
import type { Inboxes } from '../programs/inboxes';
import type { KeyedServer } from '../programs/bare/koa-key';
import { formRequest } from '../load/sender';
import { chatMember } from './accounts';
import { cpuAtMost, FORM, TRIVIAL_PATH } from './http-send';

const BOTS = 20;
const CONNECTIONS = 64;
/** As in src/chat/actors/mailboxes.ts. */
const CONCURRENCY = 8;
const BURST = 20_000;
/** Shorter measurements are smoke tests. */
const REAL_MS = 1000;

const startWorker = (bench: Bench) => startScript('workers/main.js', bench.environment, ['chat-webhooks']);

/** Chooses a count that takes about the given time at the previous rate. */
function paced(drain: (count: number) => Promise<Measurement>): Side['run'] {
  let rate = 1000;
  return async (milliseconds) => {
    const measurement = await drain(Math.max(BOTS * 25, Math.round((rate * milliseconds) / 1000)));
    rate = measurement.figures['rate'] ?? rate;
    return measurement;
  };
}

const acceptBenchmark = (name: string, limit: string, [rate, cpu]: readonly [Figure, Figure]): Benchmark => ({
  name,
  about: `POST /api/v1/external/helloworld for ${BOTS} bots, each another and taken down, ${CONNECTIONS} connections`,
  limit,
  unit: 'delivery',
  figures: [rate, P50, P99, cpu],
});

const acceptSuite: Suite = {
  benchmarks: [
    acceptBenchmark('webhooks-accept', 'the same node, a POST that authenticates, reads its form and does nothing', [
      RATE,
      cpuAtMost(1.6),
    ]),
    acceptBenchmark('webhooks-accept-bare', 'bare Koa with koa-bodyparser that knows the keys, the same requests', [
      { ...RATE, target: { of: 'ratio', is: 'at least', value: 0.4 } },
      cpuOf('server'),
    ]),
  ],
  async open(bench) {
    // Room for deliveries that no worker processes meanwhile.
    const [inboxes, node] = await Promise.all([
      startProgram<Inboxes>('programs/inboxes', { environment: bench.environment, bots: BOTS }),
      startNode(bench, { WEBHOOK_BACKLOG: '10000000' }, 'bench/programs/trivial-main.js'),
    ]);
    const { keys } = inboxes.ready;
    const [header = ''] = await chatMember(bench);
    const trivialRequest = formRequest(TRIVIAL_PATH, header.replace('Authorization: ', ''), FORM);
    const [load, bare] = await Promise.all([
      startProgram<DeliveryLoad>('load/deliveries', { keys, trivialRequest }),
      startProgram<KeyedServer>('programs/bare/koa-key', { keys }),
    ]);
    const side = (server: { pid: number }, port: number, trivial = false): Side => ({
      watched: [watchProcess('server', server), bench.redis, ...bench.mariadb, watchProcess('load', load)],
      run: (milliseconds) =>
        load.run({ ports: [port], topic: 'accept', concurrency: CONNECTIONS, milliseconds, trivial }),
    });
    const ours = side(node, node.port);
    return pairsByName({
      'webhooks-accept': { limit: side(node, node.port, true), ours },
      'webhooks-accept-bare': { limit: side(bare, bare.ready.port), ours },
    });
  },
};

const drainSuite: Suite = {
  benchmarks: [
    {
      name: 'webhooks-drain',
      about: `a backlog of ${BOTS} bots becomes messages, one worker, ${CONCURRENCY} bots at a time`,
      limit: `the same number of bare BullMQ jobs that do nothing, one worker, ${CONCURRENCY} at a time`,
      unit: 'delivery',
      figures: [{ ...RATE, target: { of: 'ratio', is: 'at least', value: 0.5 } }, cpuOf('worker'), cpuOf('redis')],
    },
  ],
  async open(bench) {
    const address = { redisUrl: bench.redisUrl, prefix: `${bench.environment['NAMESPACE']}-bare`, name: 'drain' };
    const worker = startWorker(bench);
    const [inboxes, bare, bareWorker] = await Promise.all([
      startProgram<Inboxes>('programs/inboxes', { environment: bench.environment, bots: BOTS }),
      startProgram<BareDrain>('programs/bare/drain', address),
      startProgram<BareWorker>('programs/bare/worker', { ...address, concurrency: CONCURRENCY }),
    ]);
    // Drains what other benchmarks left.
    await inboxes.run({ drain: BOTS });
    const limit = paced((count) => bare.run({ drain: count }));
    const ours = paced((count) => inboxes.run({ drain: count }));
    return pairsByName({
      'webhooks-drain': {
        limit: { watched: [watchProcess('worker', bareWorker), bench.redis], run: limit },
        ours: { watched: [watchProcess('worker', worker), bench.redis, ...bench.mariadb], run: ours },
      },
    });
  },
};

const echoSuite: Suite = {
  benchmarks: [
    {
      name: 'webhooks-idle',
      about: 'from the 200 of a delivery to its message event, one at a time',
      limit: 'from the 200 of POST /messages to its event, one at a time',
      unit: 'delivery',
      figures: [{ ...P50, target: { of: 'ours', is: 'at most', value: 100 } }, P99],
    },
  ],
  async open(bench) {
    const worker = startWorker(bench);
    const [inboxes, node] = await Promise.all([
      startProgram<Inboxes>('programs/inboxes', { environment: bench.environment, bots: 1 }),
      startNode(bench),
    ]);
    await inboxes.run({ drain: 1 });
    const [header = ''] = await chatMember(bench);
    const authorization = header.replace('Authorization: ', '');
    const options = { port: node.port, authorization, key: inboxes.ready.keys[0]! };
    const echo = await startProgram<DeliveryEcho>('load/delivery-echo', options);
    const side = (by: 'delivery' | 'message'): Side => ({
      watched: [watchProcess('server', node), watchProcess('worker', worker)],
      run: (milliseconds) => echo.run({ by, milliseconds }),
    });
    return pairsByName({ 'webhooks-idle': { limit: side('message'), ours: side('delivery') } });
  },
};

const burstSuite: Suite = {
  benchmarks: [
    {
      name: 'webhooks-burst',
      about: `${BURST} deliveries to ${BOTS} bots on two nodes, until all are messages; none lost, none doubled`,
      limit: 'the same number of bare BullMQ jobs that do nothing, from a backlog',
      unit: 'delivery',
      figures: [RATE, { name: 'taken', from: 'taken', unit: '/s' }],
    },
  ],
  async open(bench) {
    const address = { redisUrl: bench.redisUrl, prefix: `${bench.environment['NAMESPACE']}-bare`, name: 'burst' };
    const worker = startWorker(bench);
    const [inboxes, first, second, bare] = await Promise.all([
      startProgram<Inboxes>('programs/inboxes', { environment: bench.environment, bots: BOTS }),
      startNode(bench),
      startNode(bench),
      startProgram<BareDrain>('programs/bare/drain', address),
      startProgram<BareWorker>('programs/bare/worker', { ...address, concurrency: CONCURRENCY }),
    ]);
    await inboxes.run({ drain: BOTS });
    const load = await startProgram<DeliveryLoad>('load/deliveries', { keys: inboxes.ready.keys });
    let runs = 0;
    // The whole burst for a real measurement; a tenth for warm-up and smoke tests.
    const isReal = bench.pace.measureMs >= REAL_MS;
    const countFor = (milliseconds: number) => (isReal && milliseconds === bench.pace.measureMs ? BURST : BURST / 10);
    const run = async (milliseconds: number): Promise<Measurement> => {
      const [topic, count] = [`burst-${++runs}`, countFor(milliseconds)];
      const began = performance.now();
      const ports = [first.port, second.port];
      const taken = await load.run({ ports, topic, concurrency: CONNECTIONS, count });
      await inboxes.run({ settle: topic, count });
      const rate = (count / (performance.now() - began)) * 1000;
      return { units: count, figures: { rate, taken: taken.figures['rate'] ?? 0 } };
    };
    const limit = async (milliseconds: number): Promise<Measurement> => {
      const { units, figures } = await bare.run({ drain: countFor(milliseconds) });
      return { units, figures: { ...figures, taken: figures['rate'] ?? 0 } };
    };
    return pairsByName({
      'webhooks-burst': {
        limit: { watched: [bench.redis], run: limit },
        ours: { watched: [watchProcess('worker', worker), bench.redis, ...bench.mariadb], run },
      },
    });
  },
};

export const webhookSuites: readonly Suite[] = [echoSuite, drainSuite, burstSuite, acceptSuite];

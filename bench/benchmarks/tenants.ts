/** Many tenants on two nodes: the cost of idle ones, and of a noisy one to its neighbours. */
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { pairsByName, type Figure, type Measurement, type Side, type Suite } from '../harness/benchmark';
import { startProgram, startScript } from '../harness/children';
import { makeIdleTenants, removeIdleTenants } from '../harness/many-tenants';
import { startNode } from '../harness/node-process';
import { makeOrganisation, SEVERAL } from '../harness/small-organisation';
import type { Bench } from '../harness/stage';
import { watchProcess } from '../harness/watch';
import type { NoisyTenant } from '../load/noisy-tenant';
import type { QuietTenant } from '../load/quiet-tenant';
import type { BareServer } from '../programs/bare/koa-hello';
import type { MeasuredNode } from '../programs/node';

const TENANTS = 2000;
const SETTLE_MS = 2000;
const NODES = 2;

/** People of the noisy tenant. Each stays far below their own limit, so that the tenant's limit applies. */
const PEOPLE = 200;
const BOTS = 20;
const LANES = 32;
const PER_SECOND = 25;
/** One tenant's limit on one node: what two cores, shared with the databases and the load, can spare. */
const LIMIT = '1:25';
/** Longer than others, because tail latencies need more samples. */
const LONGER = 5;

async function connected(bench: Bench): Promise<Connection> {
  const database = await createConnection({ uri: bench.databaseUrl, multipleStatements: true });
  bench.signal.addEventListener('abort', () => database.destroy());
  database.on('error', () => {});
  return database;
}

const atMost = (name: string, from: string, value: number, unit: Figure['unit'] = 'ms'): Figure => ({
  name,
  from,
  unit,
  target: { of: 'ratio', is: 'at most', value },
});

const idleTenantsSuite: Suite = {
  benchmarks: [
    {
      name: 'tenants-idle',
      about: `the start of ${NODES} nodes and what each then holds, with ${TENANTS} organisations and ${TENANTS} companies that are idle`,
      limit: 'the same with the one organisation and the two companies of the demo data',
      unit: 'start',
      figures: [
        atMost('start', 'start', 1.1),
        atMost('memory of a node', 'memory', 1.1, 'KiB'),
        atMost('of it in the heap', 'heap', 1.1, 'KiB'),
      ],
    },
  ],
  async open(bench) {
    const database = await connected(bench);
    const started = async (): Promise<Measurement> => {
      const began = performance.now();
      const environment = { ...bench.environment, PORT: '0' };
      const nodes = await Promise.all(
        Array.from({ length: NODES }, () => startProgram<MeasuredNode>('programs/node', environment)),
      );
      const start = performance.now() - began;
      await wait(SETTLE_MS, undefined, { signal: bench.signal });
      const held = await Promise.all(nodes.map((node) => node.run('memory')));
      await Promise.all(nodes.map((node) => node.end()));
      const mean = (of: 'residentBytes' | 'heapBytes') => held.reduce((sum, each) => sum + each[of], 0) / NODES / 1024;
      return { units: 1, figures: { start, memory: mean('residentBytes'), heap: mean('heapBytes') } };
    };
    const watched = [bench.redis, ...bench.mariadb];
    const limit: Side = {
      watched,
      async run() {
        await removeIdleTenants(database);
        return started();
      },
    };
    const ours: Side = {
      watched,
      async run() {
        await removeIdleTenants(database);
        await makeIdleTenants(database, TENANTS);
        return started();
      },
    };
    return pairsByName({ 'tenants-idle': { limit, ours } });
  },
};

const noisyTenantSuite: Suite = {
  benchmarks: [
    {
      name: 'tenants-noisy',
      about:
        `a quiet tenant on ${NODES} nodes and a worker, beside one whose people send as fast as ` +
        `TENANT_RATE_LIMIT=${LIMIT} lets them, and that gets ${PER_SECOND} deliveries and ${PER_SECOND} texts a second`,
      limit: 'the same quiet tenant alone',
      unit: 'message',
      figures: [
        atMost('send to poll, p95', 'send p95', 1.5),
        atMost('delivery to poll, p95', 'webhook p95', 1.5),
        atMost('text to event, p95', 'text p95', 1.5),
        { name: 'send to poll, p50', from: 'send p50', unit: 'ms' },
        { name: 'bare Koa, p95', from: 'bare p95', unit: 'ms' },
        { name: 'bare Koa, p50', from: 'bare p50', unit: 'ms' },
        { name: '25 bare statements, p95', from: 'statements p95', unit: 'ms' },
        { name: '25 bare statements, p50', from: 'statements p50', unit: 'ms' },
        { name: 'sent by the other', from: 'noise', unit: '/s' },
      ],
    },
  ],
  async open(bench) {
    const database = await connected(bench);
    await removeIdleTenants(database);
    await database.query("UPDATE chat_realms SET subdomain = 'first' WHERE subdomain = ''");
    const [quiet, noisy] = [
      await makeOrganisation(bench, database, { subdomain: 'quiet', people: 3, bots: 1 }),
      await makeOrganisation(bench, database, { subdomain: 'noisy', people: PEOPLE, bots: BOTS }),
    ];
    const environment = { ...bench.environment, ...SEVERAL };
    const limits = { ...SEVERAL, RATE_LIMIT: '60:100000', TENANT_RATE_LIMIT: LIMIT };
    const worker = startScript('workers/main.js', environment);
    const nodes = await Promise.all([startNode(bench, limits), startNode(bench, limits)]);
    const ports = [nodes[0].port, nodes[1].port] as const;
    // The control: only the machine can delay what it answers.
    const hello = await startProgram<BareServer>('programs/bare/koa-hello', null);
    const bare = hello.ready.port;
    const [asks, floods] = await Promise.all([
      startProgram<QuietTenant>('load/quiet-tenant', {
        tenant: { organisation: quiet, company: 'one' },
        ports,
        bare,
        databaseUrl: bench.databaseUrl,
      }),
      startProgram<NoisyTenant>('load/noisy-tenant', {
        tenant: { organisation: noisy, company: 'two' },
        ports,
        people: LANES,
        perSecond: PER_SECOND,
      }),
    ]);
    const watched = [
      ...nodes.map((node) => watchProcess('server', node)),
      watchProcess('worker', worker),
      bench.redis,
      ...bench.mariadb,
      watchProcess('load', asks),
      watchProcess('noise', floods),
      watchProcess('control', hello),
    ];
    const durationOf = (milliseconds: number) => Math.min(milliseconds, bench.pace.measureMs) * LONGER;
    const limit: Side = { watched, run: (milliseconds) => asks.run({ milliseconds: durationOf(milliseconds) }) };
    const ours: Side = {
      watched,
      async run(milliseconds) {
        await floods.run('begin');
        // The first second is a burst up to the limit, which happens only once.
        await wait(SETTLE_MS, undefined, { signal: bench.signal });
        await floods.run('begin');
        const began = performance.now();
        const { units, figures } = await asks.run({ milliseconds: durationOf(milliseconds) });
        const { sent } = await floods.run('stop');
        return { units, figures: { ...figures, noise: (sent / (performance.now() - began)) * 1000 } };
      },
    };
    return pairsByName({ 'tenants-noisy': { limit, ours } });
  },
};

export const tenantSuites: readonly Suite[] = [idleTenantsSuite, noisyTenantSuite];

/** Extensions: latency of creations, isolation from crowds and hung PBXs, and database cost of lists. */
import {
  P50,
  P99,
  pairsByName,
  RATE,
  type Benchmark,
  type Figure,
  type Pair,
  type Side,
  type Suite,
} from '../harness/benchmark';
import { startProgram, startScript } from '../harness/children';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { ExtensionLoad } from '../load/extensions';
import type { ExtensionList } from '../programs/extension-list';
import type { Fleet } from '../programs/fleet';
import type { PlainPbx } from '../programs/bare/plain-pbx';

const FLEET = 21;
const P95: Figure = { name: 'p95', from: 'p95', unit: 'ms' };
const REFUSED: Figure = {
  name: 'refused',
  from: 'refused',
  unit: '%',
  target: { of: 'ours', is: 'at most', value: 0 },
};
const atMost = (figure: Figure, of: 'ours' | 'ratio', value: number): Figure => ({
  ...figure,
  target: { of, is: 'at most', value },
});

interface Kind extends Benchmark {
  readonly limitAsks: Asks;
  readonly oursAsks: Asks;
}

interface Asks {
  readonly to: 'node' | 'pbx';
  readonly instances: number;
  readonly concurrency: number;
  /** In a measurement of the usual length; fewer in a quick one. */
  readonly count: number;
  readonly delayMs: number;
  /** One more instance hangs, with orders waiting for it. */
  readonly isOneHung?: true;
}

const kinds: readonly Kind[] = [
  {
    name: 'extension-create',
    about: 'POST extension on a PBX that answers in 5 ms, one after the other',
    limit: 'the PBX itself, asked by the same client',
    unit: 'creation',
    figures: [atMost(P50, 'ours', 25), atMost(P99, 'ours', 100), REFUSED],
    limitAsks: { to: 'pbx', instances: 1, concurrency: 1, count: 500, delayMs: 5 },
    oursAsks: { to: 'node', instances: 1, concurrency: 1, count: 500, delayMs: 5 },
  },
  {
    name: 'extension-crowd',
    about: '300 creations at once on 10 instances of PBXs that answer in 5 ms',
    limit: 'the PBXs themselves, asked by the same client',
    unit: 'creation',
    figures: [REFUSED, RATE, P99],
    limitAsks: { to: 'pbx', instances: 10, concurrency: 300, count: 300, delayMs: 5 },
    oursAsks: { to: 'node', instances: 10, concurrency: 300, count: 300, delayMs: 5 },
  },
  {
    name: 'extension-fleet',
    about: 'creations on 20 instances of PBXs that answer in 50 ms, 3 waiting for each',
    limit: 'the same on one instance',
    unit: 'creation',
    figures: [{ ...RATE, target: { of: 'ratio', is: 'at least', value: 10 } }, REFUSED],
    limitAsks: { to: 'node', instances: 1, concurrency: 3, count: 20, delayMs: 50 },
    oursAsks: { to: 'node', instances: 20, concurrency: 60, count: 400, delayMs: 50 },
  },
  {
    name: 'extension-hung',
    about: 'creations on 5 instances while the PBX of a sixth hangs, with orders waiting for it',
    limit: 'the same while none hangs',
    unit: 'creation',
    figures: [atMost(P95, 'ratio', 1.5), REFUSED],
    limitAsks: { to: 'node', instances: 5, concurrency: 5, count: 100, delayMs: 5 },
    oursAsks: { to: 'node', instances: 5, concurrency: 5, count: 100, delayMs: 5, isOneHung: true },
  },
];

const QUICK_MS = 1000;
const STUCK = 30;

const creationSuite: Suite = {
  benchmarks: kinds,
  async open(bench) {
    const { environment } = bench;
    const pbx = await startProgram<PlainPbx>('programs/bare/plain-pbx', null);
    const address = `http://127.0.0.1:${pbx.ready.port}`;
    const fleet = await startProgram<Fleet>('programs/fleet', { environment, address, count: FLEET });
    await fleet.end();
    const { instances } = fleet.ready;
    // The breaker is disabled, because it would spare the hung PBX, and hanging is what is tested.
    const patient = { ...environment, BREAKER_FAILURES: '1000', PBX_OPERATION_MS: '10000', PBX_LATE_MS: '1000' };
    const worker = startScript('workers/main.js', patient, ['pbx']);
    const [load, stuck, node] = await Promise.all([
      startProgram<ExtensionLoad>('load/extensions', null),
      startProgram<ExtensionLoad>('load/extensions', null),
      startNode(bench, patient),
    ]);
    const watched = [watchProcess('node', node), watchProcess('worker', worker), bench.redis, ...bench.mariadb];

    const sideOf = (asks: Asks): Side => ({
      watched,
      async run(milliseconds) {
        const { to, concurrency, delayMs } = asks;
        const hung = instances.at(-1)!;
        await pbx.run({ delayMs, hung: asks.isOneHung ? [hung] : [] });
        const port = to === 'node' ? node.port : pbx.ready.port;
        const count = milliseconds < QUICK_MS ? Math.max(concurrency, asks.count / 5) : asks.count;
        const waiting = asks.isOneHung
          ? stuck.run({ port, to, instances: [hung], concurrency: STUCK, count: STUCK })
          : undefined;
        const used = instances.slice(0, asks.instances);
        const measurement = await load.run({ port, to, instances: used, concurrency, count });
        await waiting;
        return measurement;
      },
    });
    const pairs = kinds.map(({ name, limitAsks, oursAsks }): [string, Pair] => [
      name,
      { limit: sideOf(limitAsks), ours: sideOf(oursAsks) },
    ]);
    return pairsByName(Object.fromEntries(pairs));
  },
};

const READS = {
  plain: {},
  search: { search: 'phone 77' },
  'by-user': { byUser: true },
  'search-by-user': { search: 'user 77', byUser: true },
  users: { search: 'user 77', ofUsers: true },
} as const;

const listSuite: Suite = {
  benchmarks: Object.keys(READS).map((name) => ({
    name: `extension-list-${name}`,
    about: `a page of 100 of 10,000 extensions, ${name.replaceAll('-', ' ')}`,
    limit: 'a page of 100 by primary key',
    unit: 'page',
    figures: [atMost(P50, 'ratio', 10), RATE],
  })),
  async open({ environment, mariadb }) {
    const list = await startProgram<ExtensionList>('programs/extension-list', { environment });
    const watched = [watchProcess('reader', list), ...mariadb];
    const side = (read: ExtensionList['order']['read']): Side => ({
      watched,
      run: (milliseconds) => list.run({ read, milliseconds }),
    });
    const pairs = Object.entries(READS).map(([name, read]): [string, Pair] => [
      `extension-list-${name}`,
      { limit: side('keys'), ours: side(read) },
    ]);
    return pairsByName(Object.fromEntries(pairs));
  },
};

export const extensionSuites: readonly Suite[] = [creationSuite, listSuite];

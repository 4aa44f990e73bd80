/** The simulation of a cluster: its clock, its servers, and its results for loads that can be calculated by hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Clock } from '../../../bench/simulation/clock';
import { simulate, type Load, type Shape } from '../../../bench/simulation/cluster';
import { storedCosts, type UnitCosts } from '../../../bench/simulation/costs';
import { openRandom } from '../../../bench/simulation/random';
import { Station } from '../../../bench/simulation/station';
import { costTable, simulatedTable } from '../../../bench/simulation/tables';

const costs: UnitCosts = {
  sendNode: 500,
  sendDatabase: 200,
  readNode: 0,
  readDatabase: 0,
  publish: 50,
  push: 10,
  bus: 10,
  tail: 50,
  delivery: 100,
  waitingNode: 2,
  waitingRedis: 0.2,
  quietRedis: 1000,
};
const shape: Shape = { nodes: 4, redisPrimaries: 1, databases: 1, coresPerDatabase: 4, nodesPerTenant: 4 };
const load: Load = {
  people: 10_000,
  peoplePerTenant: 500,
  subscribers: 100,
  secondsPerMessage: 100,
  readsPerMessage: 0,
};
const run = (more: Partial<Parameters<typeof simulate>[0]> = {}) =>
  simulate({ shape, load, costs, seed: 1, seconds: 20, ...more });

describe('Simulated clock', () => {
  test('The simulated clock runs events by time, and events of one time in the order they were added', () => {
    const clock = new Clock();
    const seen: string[] = [];
    const times = [5, 1, 4, 1, 3, 2, 9, 7, 8, 6];
    for (const [at, time] of times.entries()) clock.at(time, () => seen.push(`${time}:${at}`));
    clock.run();
    expect(seen).toEqual(['1:1', '1:3', '2:5', '3:4', '4:2', '5:0', '6:9', '7:7', '8:8', '9:6']);
  });

  test('The simulated clock refuses an event in the past', () => {
    const clock = new Clock();
    clock.at(2, () => clock.at(1, () => {}));
    expect(() => clock.run()).toThrow('too late');
  });
});

describe('Simulated server', () => {
  const endsOf = (options: { cores?: number; background?: number }) => {
    const clock = new Clock();
    const station = new Station(clock, options);
    const ends: number[] = [];
    for (const work of [10, 10, 10]) station.serve(work, () => ends.push(clock.now));
    clock.run();
    return { ends, busy: station.busy(100) };
  };

  test('A simulated server with one core does one piece of work after the other', () => {
    expect(endsOf({})).toEqual({ ends: [10, 20, 30], busy: 0.3 });
  });

  test('A simulated server does as many pieces of work at once as it has cores', () => {
    expect(endsOf({ cores: 2 })).toEqual({ ends: [10, 10, 20], busy: 0.15 });
  });

  test('A simulated server is slowed down by its background work', () => {
    expect(endsOf({ background: 0.5 })).toEqual({ ends: [20, 40, 60], busy: 0.8 });
  });
});

test('A seed always draws the same numbers, and another seed draws others', () => {
  const draw = (seed: number) => {
    const random = openRandom(seed);
    return Array.from({ length: 5 }, () => random.next());
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  const random = openRandom(1);
  const mean = Array.from({ length: 20_000 }, () => random.exponential(3)).reduce((a, b) => a + b) / 20_000;
  expect(mean).toBeCloseTo(3, 0);
});

describe('Simulated cluster', () => {
  test('A simulated cluster gives the same result every time', () => {
    expect(run()).toEqual(run());
  });

  test('A simulated cluster is as busy as its costs add up to', () => {
    const { messagesPerSecond, nodes, redis, database } = run();
    expect(messagesPerSecond).toBeCloseTo(100);
    // Each second 100 messages: 500 µs for the send, 50 for each of four nodes, 100 for each of a hundred subscribers.
    expect(nodes).toBeCloseTo((100 * (500 + 4 * 50 + 100 * 100)) / 4 / 1e6 + (2 * 2500) / 1e6, 1);
    expect(redis).toBeCloseTo((100 * (50 + 4 * 10) + 10_000 * 0.2 + 4 * 1000) / 1e6, 2);
    expect(database).toBeCloseTo((100 * 200) / 4 / 1e6, 2);
  });

  test('The latency in a simulated cluster is at least the path of one message', () => {
    // 500 for the send, 200, 50 and 40 to publish it, then 50 and 25 deliveries.
    expect(run().p50).toBeGreaterThanOrEqual((500 + 200 + 50 + 40 + 50 + 2500) / 1000);
  });

  test('A simulated cluster with too many people reports more work than time', () => {
    const crowded = run({ load: { ...load, people: 100_000 }, seconds: 2 });
    expect(crowded.nodes).toBeGreaterThan(1);
    expect(crowded.p99).toBeGreaterThan(run().p99);
  });

  test('Redis has less work when a tenant is on few nodes, or when there are several primaries', () => {
    const wide = { ...shape, nodes: 40, nodesPerTenant: 40 };
    const all = run({ shape: wide }).redis;
    expect(run({ shape: { ...wide, nodesPerTenant: 4 } }).redis).toBeLessThan(all);
    expect(run({ shape: { ...wide, redisPrimaries: 4 } }).redis).toBeLessThan(all);
  });
});

/** Cells without the alignment spaces of the formatter. */
const cellsOf = (row: string): string =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .join('|');

test('Every row that the committed sweeps lead to is in docs/SCALING.md', () => {
  const root = join(__dirname, '../../..');
  const measured = storedCosts(join(root, 'bench/results/growth'));
  const written = new Set(readFileSync(join(root, 'docs/SCALING.md'), 'utf8').split('\n').map(cellsOf));
  const printed = `${costTable(measured)}\n${simulatedTable(measured)}`
    .split('\n')
    .filter((row) => !row.includes('---'));
  expect(printed.filter((row) => !written.has(cellsOf(row)))).toEqual([]);
});

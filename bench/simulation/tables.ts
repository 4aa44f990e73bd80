/** The two tables of docs/SCALING.md that follow from the sweeps: unit costs, and simulated clusters. */
import { readable } from '../harness/table';
import type { Outcome } from './cluster';
import type { UnitCosts } from './costs';
import { simulateStep, steps, type Step } from './steps';

const COSTS: Readonly<Record<keyof UnitCosts, string>> = {
  sendNode: 'a node takes a message, one of 2,000 organisations',
  sendDatabase: 'the database commits it, the same',
  readNode: 'a node answers a read of a hundred messages',
  readDatabase: 'the database reads them, of a million',
  publish: 'Redis appends and publishes an event to one node',
  push: 'Redis pushes it to one more node',
  bus: 'a primary of a Redis Cluster gets it over the bus',
  tail: 'a node receives it and finds the waiting polls',
  delivery: 'a poll is answered and comes back',
  waitingNode: 'a poll waits, each second, at its node',
  waitingRedis: 'a poll waits, each second, in Redis',
  quietRedis: 'a quiet node, each second, in Redis',
};
/** Costs that no sweep can tell. docs/SCALING.md says where they come from. */
const ASSUMED: readonly string[] = ['readNode', 'push', 'bus', 'tail', 'waitingNode', 'waitingRedis'];

const markdown = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `| ${row.join(' | ')} |`).join('\n');

export function costTable(costs: UnitCosts): string {
  const rows = Object.entries(COSTS).map(([name, about]) => [
    about,
    `${readable(costs[name as keyof UnitCosts])} µs`,
    ASSUMED.includes(name) ? 'assumed' : 'measured',
  ]);
  return markdown([['unit', 'CPU', ''], ['---', '---', '---'], ...rows]);
}

const HEADINGS = ['connected', 'what there is', 'messages', 'nodes', 'Redis', 'database', 'to the last, p50', 'p99'];

const share = (busy: number): string => (busy > 1 ? `**${Math.round(busy * 100)} %**` : `${Math.round(busy * 100)} %`);

/** With utilisation above 1, latencies only reflect the length of the simulation. */
function rowOf(step: Step, outcome: Outcome): string[] {
  const { messagesPerSecond, nodes, redis, database, p50, p99 } = outcome;
  const grows = Math.max(nodes, redis, database) > 1;
  const time = (milliseconds: number) => (grows ? 'grows' : `${Math.round(milliseconds)} ms`);
  return [
    step.people.toLocaleString('en-US'),
    step.what,
    `${Math.round(messagesPerSecond).toLocaleString('en-US')} /s`,
    share(nodes),
    share(redis),
    share(database),
    time(p50),
    time(p99),
  ];
}

/** For docs/SCALING.md. */
export function simulatedTable(costs: UnitCosts): string {
  const rows = steps.map((step) => rowOf(step, simulateStep(step, costs)));
  return markdown([HEADINGS, HEADINGS.map(() => '---'), ...rows]);
}

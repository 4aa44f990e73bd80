/** The steps to a million connected people: at each step the cluster before, and the one that takes over. */
import { simulate, type Load, type Outcome, type Shape } from './cluster';
import type { UnitCosts } from './costs';

export interface Step {
  readonly people: number;
  readonly what: string;
  readonly shape: Shape;
}

/** Assumed habits: organisations of 500, a message per person every five minutes, received by a hundred. */
const HABITS = { peoplePerTenant: 500, subscribers: 100, secondsPerMessage: 300, readsPerMessage: 1 };
const SEED = 20;
/** Simulated messages per step: fewer seconds at higher rates. */
const MESSAGES = 1500;

const shape = (nodes: number, more: Partial<Shape> = {}): Shape => ({
  nodes,
  redisPrimaries: 1,
  databases: 1,
  coresPerDatabase: 8,
  nodesPerTenant: nodes,
  ...more,
});

export const steps: readonly Step[] = [
  { people: 1000, what: 'two nodes', shape: shape(2) },
  { people: 10_000, what: 'two nodes', shape: shape(2) },
  { people: 100_000, what: 'two nodes, as before', shape: shape(2) },
  { people: 100_000, what: 'sixteen nodes', shape: shape(16) },
  { people: 300_000, what: 'sixteen nodes, as before', shape: shape(16) },
  { people: 300_000, what: '64 nodes', shape: shape(64) },
  { people: 1_000_000, what: '64 nodes, as before', shape: shape(64) },
  { people: 1_000_000, what: '192 nodes, one Redis, one database', shape: shape(192) },
  {
    people: 1_000_000,
    what: '192 nodes, Redis Cluster of 6, four databases by organisation',
    shape: shape(192, { redisPrimaries: 6, databases: 4 }),
  },
  {
    people: 1_000_000,
    what: 'the same, each organisation on four of the nodes',
    shape: shape(192, { redisPrimaries: 6, databases: 4, nodesPerTenant: 4 }),
  },
];

export function simulateStep({ people, shape: there }: Step, costs: UnitCosts): Outcome {
  const load: Load = { ...HABITS, people };
  const seconds = (MESSAGES * HABITS.secondsPerMessage) / people;
  return simulate({ shape: there, load, costs, seed: SEED, seconds });
}

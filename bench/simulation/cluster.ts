/**
 * Simulates a message's path through a cluster: the node that accepts it, the database that commits it, its
 * organisation's Redis primary, the other primaries by the cluster bus, and every node with waiting polls.
 */
import { latency } from '../harness/statistics';
import { Clock } from './clock';
import type { UnitCosts } from './costs';
import { openRandom } from './random';
import { Station } from './station';

/** The size of the cluster. */
export interface Shape {
  readonly nodes: number;
  readonly redisPrimaries: number;
  readonly databases: number;
  readonly coresPerDatabase: number;
  /** How many nodes an organisation's people are on; all of them if requests are balanced round-robin. */
  readonly nodesPerTenant: number;
}

export interface Load {
  readonly people: number;
  readonly peoplePerTenant: number;
  /** How many connected people receive one message. */
  readonly subscribers: number;
  /** Everybody sends one message in this many seconds. */
  readonly secondsPerMessage: number;
  /** Reads of a hundred messages per message sent. */
  readonly readsPerMessage: number;
}

export interface Outcome {
  readonly messagesPerSecond: number;
  /** Utilisation: demanded work over available time. Above 1 the queue keeps growing. */
  readonly nodes: number;
  readonly redis: number;
  readonly database: number;
  /** Milliseconds from sending to the last recipient. */
  readonly p50: number;
  readonly p99: number;
}

const SECOND = 1_000_000;

export interface Simulation {
  readonly shape: Shape;
  readonly load: Load;
  readonly costs: UnitCosts;
  readonly seed: number;
  /** How long messages are sent, in simulated seconds. */
  readonly seconds: number;
}

export function simulate({ shape, load, costs, seed, seconds }: Simulation): Outcome {
  const clock = new Clock();
  const random = openRandom(seed);
  const stations = openStations(clock, shape, { load, costs });
  const tenants = Math.max(1, Math.round(load.people / load.peoplePerTenant));
  const rate = load.people / load.secondsPerMessage / SECOND;
  const took: number[] = [];

  const listeners = listenersOf(shape);

  /** The primary pushes to its subscribed nodes, and each node answers its waiting polls. */
  function tell(message: { began: number; first: number; home: number }): void {
    let left = shape.nodesPerTenant;
    for (const [primary, nodes] of listeners.entries()) {
      const work = nodes.length * costs.push + (primary === 0 ? 0 : costs.bus);
      stations.redis[(message.home + primary) % shape.redisPrimaries]!.serve(work, () => {
        for (const node of nodes) {
          const answers = share(load.subscribers, shape.nodesPerTenant, node) * costs.delivery;
          stations.nodes[(message.first + node) % shape.nodes]!.serve(costs.tail + answers, () => {
            left -= 1;
            if (left === 0) took.push((clock.now - message.began) / 1000);
          });
        }
      });
    }
  }

  function send(): void {
    const tenant = random.below(tenants);
    const home = tenant % shape.redisPrimaries;
    const first = shape.nodesPerTenant === shape.nodes ? random.below(shape.nodes) : tenant % shape.nodes;
    const message = { began: clock.now, first, home };
    const taker = stations.nodes[(first + random.below(shape.nodesPerTenant)) % shape.nodes]!;
    const database = stations.databases[tenant % shape.databases]!;
    for (let reads = load.readsPerMessage; reads > 0; reads -= 1) {
      taker.serve(costs.readNode, () => database.serve(costs.readDatabase, () => {}));
    }
    taker.serve(costs.sendNode, () =>
      database.serve(costs.sendDatabase, () => stations.redis[home]!.serve(costs.publish, () => tell(message))),
    );
  }

  for (let time = random.exponential(1 / rate); time < seconds * SECOND; time += random.exponential(1 / rate)) {
    clock.at(time, send);
  }
  clock.run();
  const busiest = (some: readonly Station[]) => Math.max(...some.map((each) => each.busy(seconds * SECOND)));
  const { p50, p99 } = latency(took);
  return {
    messagesPerSecond: rate * SECOND,
    nodes: busiest(stations.nodes),
    redis: busiest(stations.redis),
    database: busiest(stations.databases),
    p50,
    p99,
  };
}

/** Which of an organisation's nodes subscribe at which primary, counted from the organisation's home. */
function listenersOf({ redisPrimaries, nodesPerTenant }: Shape): readonly (readonly number[])[] {
  const all = Array.from({ length: redisPrimaries }, (): number[] => []);
  for (let node = 0; node < nodesPerTenant; node += 1) all[node % redisPrimaries]!.push(node);
  return all;
}

/** How many of the recipients are on this node. */
const share = (subscribers: number, nodes: number, at: number): number =>
  Math.floor(subscribers / nodes) + (at < subscribers % nodes ? 1 : 0);

function openStations(clock: Clock, shape: Shape, { load, costs }: { load: Load; costs: UnitCosts }) {
  const many = (count: number, options: { cores?: number; background: number }) =>
    Array.from({ length: count }, () => new Station(clock, options));
  // The constant cost of waiting polls, whether or not messages are sent.
  const waitingPerNode = (load.people / shape.nodes) * (costs.waitingNode / SECOND);
  const waitingInRedis = load.people * costs.waitingRedis + shape.nodes * costs.quietRedis;
  return {
    nodes: many(shape.nodes, { background: waitingPerNode }),
    redis: many(shape.redisPrimaries, { background: waitingInRedis / shape.redisPrimaries / SECOND }),
    databases: many(shape.databases, { cores: shape.coresPerDatabase, background: 0 }),
  };
}

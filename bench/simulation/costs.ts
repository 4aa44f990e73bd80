/** Unit costs in microseconds of one core, read from the stored sweeps. */
import { median } from '../harness/statistics';
import { readSweep, type SweepResult } from '../harness/sweep';

export interface UnitCosts {
  /** A node accepts a message, up to its commit. */
  readonly sendNode: number;
  readonly sendDatabase: number;
  /** A node answers a read of a hundred messages. */
  readonly readNode: number;
  readonly readDatabase: number;
  /** Redis appends an event and publishes it to the first subscribed node. */
  readonly publish: number;
  /** Redis pushes it to one more node. */
  readonly push: number;
  /** A cluster primary receives it by the bus. */
  readonly bus: number;
  /** A node receives an event and finds its waiting polls. */
  readonly tail: number;
  /** A poll is answered and returns. */
  readonly delivery: number;
  /** Per second and waiting poll. */
  readonly waitingNode: number;
  readonly waitingRedis: number;
  /** Per second and node, whatever waits there. */
  readonly quietRedis: number;
}

export interface Measured {
  readonly polls: SweepResult;
  readonly nodes: SweepResult;
  readonly tenants: SweepResult;
  readonly messages: SweepResult;
}

/** From here on, the cost of the send is negligible against its deliveries. */
const MANY_POLLS = 1000;
const MANY_TENANTS = 2000;
/**
 * What no sweep can isolate, from the prototypes behind the design: a node receives an event and finds its polls (9 to
 * 51 µs); Redis pushes an event to one more node (4 to 7 µs).
 */
const TAIL = 50;
const PUSH = 7;
/** A waiting poll gets a heartbeat after 45 to 55 s, which costs no more than a delivery. */
const HEARTBEAT_SECONDS = 50;
/** From the benchmark `parked`: Redis CPU per second for 15,000 polls waiting on one node. */
const PARKED = { polls: 15_000, redis: 2504 };

function figureAt({ name, points }: SweepResult, at: number, figure: string): number {
  const value = points.find((point) => point.at === at)?.figures[figure];
  if (value === undefined) throw new Error(`${name} has no "${figure}" at ${at}`);
  return value;
}

export function unitCosts({ polls, nodes, tenants, messages }: Measured): UnitCosts {
  const delivery = median(
    polls.points.flatMap(({ at, figures }) => (at >= MANY_POLLS ? [figures['cpu server'] ?? 0] : [])),
  );
  const deliveries = 1000;
  const quiet = figureAt(nodes, 1, 'quiet redis µs/s');
  const messagesPerSecond = figureAt(nodes, 1, 'rate') / deliveries;
  const readDatabase = figureAt(messages, 1_000_000, 'stream mariadb µs');
  return {
    // With everybody in another organisation, as nearly all concurrent senders on a large installation are.
    sendNode: figureAt(tenants, MANY_TENANTS, 'cpu server') - delivery,
    sendDatabase: figureAt(tenants, MANY_TENANTS, 'cpu mariadb'),
    // The sweep cannot tell reads from sends. In `read-dense-stream` the node took as much as the database.
    readNode: readDatabase,
    readDatabase,
    // Without what Redis does for a node anyway.
    publish: figureAt(nodes, 1, 'cpu redis') * deliveries - quiet / messagesPerSecond,
    push: PUSH,
    // No more than a push, which it is.
    bus: PUSH,
    tail: TAIL,
    delivery,
    waitingNode: delivery / HEARTBEAT_SECONDS,
    waitingRedis: Math.max(0, PARKED.redis - quiet) / PARKED.polls,
    quietRedis: quiet,
  };
}

/** Reads the sweeps of this folder. */
export function storedCosts(directory: string): UnitCosts {
  const stored = (name: string): SweepResult => {
    const result = readSweep(directory, name);
    if (result === undefined) throw new Error(`${name} has not been run yet`);
    return result;
  };
  return unitCosts({
    polls: stored('growth-polls'),
    nodes: stored('growth-nodes'),
    tenants: stored('growth-tenants'),
    messages: stored('growth-messages'),
  });
}

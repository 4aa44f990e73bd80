/** What one of everything costs, in microseconds of one core. Read from the sweeps that are kept with the sources. */
import { median } from '../harness/statistics';
import { readSweep, type SweepResult } from '../harness/sweep';

export interface UnitCosts {
  /** A node takes a message, up to its commit. */
  readonly sendNode: number;
  readonly sendDatabase: number;
  /** A node answers a read of a hundred messages. */
  readonly readNode: number;
  readonly readDatabase: number;
  /** Redis appends an event and publishes it to the first node that listens. */
  readonly publish: number;
  /** Redis pushes it to one more. */
  readonly push: number;
  /** A primary of a cluster hears of it by the bus. */
  readonly bus: number;
  /** A node hears of an event, and looks who waits for it. */
  readonly tail: number;
  /** A poll is answered and comes back. */
  readonly delivery: number;
  /** Each second, for a poll that waits. */
  readonly waitingNode: number;
  readonly waitingRedis: number;
  /** Each second, for a node, whoever waits there. */
  readonly quietRedis: number;
}

export interface Measured {
  readonly polls: SweepResult;
  readonly nodes: SweepResult;
  readonly tenants: SweepResult;
  readonly messages: SweepResult;
}

/** From here on the send of a message is lost in its deliveries. */
const MANY_POLLS = 1000;
const MANY_TENANTS = 2000;
/**
 * What no sweep can tell apart from the rest, from the prototypes that the design was chosen by: a node hears of an event
 * and looks who waits (9 to 51 µs), Redis pushes an event to one more node (4 to 7 µs).
 */
const TAIL = 50;
const PUSH = 7;
/** A poll that waits is answered with a heartbeat after 45 to 55 s, which costs no more than a delivery. */
const HEARTBEAT_SECONDS = 50;
/** The benchmark `parked`: what 15,000 polls that wait at one node take of Redis each second. */
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
    // Where everybody is of another organisation, as nearly all are that send at the same time on a large installation.
    sendNode: figureAt(tenants, MANY_TENANTS, 'cpu server') - delivery,
    sendDatabase: figureAt(tenants, MANY_TENANTS, 'cpu mariadb'),
    // The sweep does not tell reads from sends in its process; in `read-dense-stream` it took as much as the database.
    readNode: readDatabase,
    readDatabase,
    // Without what Redis does for a node anyway.
    publish: figureAt(nodes, 1, 'cpu redis') * deliveries - quiet / messagesPerSecond,
    push: PUSH,
    // No more than a push, as it is one.
    bus: PUSH,
    tail: TAIL,
    delivery,
    waitingNode: delivery / HEARTBEAT_SECONDS,
    waitingRedis: Math.max(0, PARKED.redis - quiet) / PARKED.polls,
    quietRedis: quiet,
  };
}

/** From the folder of the sweeps. */
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

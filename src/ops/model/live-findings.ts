/** Findings about the current state, with advice. The checks of `doctor`, in contrast, examine the installation. */
import type { QueueReport } from '../../kernel/jobs/queue-report';
import { fail, ok, warn, type Finding } from './finding';
import type { NodeBeat, RoutePace } from './pace';
import type { WorkQueueReport } from './work';

export interface Moment {
  /** Null if Redis does not answer; then nodes, workers and queues are unknown. */
  readonly redis: object | null;
  readonly nodes: readonly Pick<NodeBeat, 'name' | 'lagMs'>[];
  readonly workers: number;
  readonly queues: readonly Pick<QueueReport, 'queue' | 'isPaused' | 'waiting' | 'oldestMs'>[];
  readonly workQueues: readonly Pick<WorkQueueReport, 'name' | 'waiting' | 'oldestMs' | 'dead'>[];
  readonly outbox: { readonly rows: number; readonly oldestMs: number | null };
  /** These count the last minutes over all nodes. */
  readonly requests: number;
  readonly errors: number;
}

export interface Surroundings extends Moment {
  readonly nodes: readonly NodeBeat[];
  /** Redis INFO; null if Redis does not answer. */
  readonly redis: Readonly<Record<string, string>> | null;
  readonly mysql: { readonly connections: number; readonly events: number };
}

export interface Overview extends Surroundings {
  /** Problems first. */
  readonly findings: readonly Finding[];
  readonly slowest: readonly RoutePace[];
  readonly mysqlVersion: string;
}

/** Jobs usually finish within seconds, and are given up or retried after half a minute at most. */
const LONG_WAIT_MS = 60_000;
/** The sweep publishes pending rows after 3 s. */
const LATE_OUTBOX_MS = 15_000;
/** A delay that people notice. */
const MAX_LAG_MS = 200;
const MANY_ERRORS = 0.01;
/** With fewer requests, a single error would look like a high rate. */
const ENOUGH_REQUESTS = 100;

export const findLive = (moment: Moment): Finding[] =>
  moment.redis === null
    ? [REDIS_AWAY, checkOutbox(moment)]
    : [
        ok('redis', 'answers'),
        checkWorkers(moment),
        checkPaused(moment),
        checkDead(moment),
        checkWaiting(moment),
        checkOutbox(moment),
        checkErrors(moment),
        checkLag(moment),
      ];

const REDIS_AWAY = fail(
  'redis',
  'Redis does not answer: events and jobs wait, and nothing is known of nodes, workers and queues',
  'Start it, or set REDIS_URL to the one you use. What was committed is kept, and published when it is back.',
);

function checkWorkers({ workers }: Moment): Finding {
  if (workers > 0) return ok('workers', `${workers} alive`);
  return fail('workers', 'no worker is alive: nothing is being worked off', 'Start one: node dist/workers/main.js.');
}

function checkPaused({ queues }: Moment): Finding {
  const paused = queues.filter(({ isPaused }) => isPaused).map(({ queue }) => queue);
  if (paused.length === 0) return ok('queues', 'none is paused');
  return warn('queues', `paused: ${paused.join(', ')}`, 'Resume them under Queues when the reason is gone.');
}

function checkDead({ workQueues }: Moment): Finding {
  const dead = workQueues
    .filter((workQueue) => workQueue.dead > 0)
    .map((workQueue) => `${workQueue.name} (${workQueue.dead})`);
  if (dead.length === 0) return ok('dead-letters', 'none');
  return warn(
    'dead-letters',
    `for an operator to look at: ${dead.join(', ')}`,
    'Under Work, look at their reasons, correct the cause, then retry them.',
  );
}

function checkWaiting({ queues, workQueues }: Moment): Finding {
  const places = [
    ...queues.filter(({ isPaused }) => !isPaused).map(({ queue: name, oldestMs }) => ({ name, oldestMs })),
    ...workQueues,
  ];
  const late = places.filter(({ oldestMs }) => (oldestMs ?? 0) > LONG_WAIT_MS);
  if (late.length === 0) return ok('waiting', 'nothing waits for long');
  const says = late.map(({ name, oldestMs }) => `${name} (${Math.round(oldestMs! / 1000)} s)`).join(', ');
  return warn(
    'waiting',
    `work has been waiting: ${says}`,
    'Look under Queues what the workers do; start more of them.',
  );
}

function checkOutbox({ outbox: { rows, oldestMs } }: Moment): Finding {
  if ((oldestMs ?? 0) < LATE_OUTBOX_MS) return ok('outbox', `${rows} rows to publish`);
  const says = `${rows} changes are not published yet, the oldest for ${Math.round(oldestMs! / 1000)} s`;
  return fail('outbox', says, 'Look whether Redis takes writes, and at "could not publish outbox rows" in the logs.');
}

function checkErrors({ requests, errors }: Moment): Finding {
  const says = `${errors} of the last ${requests} requests failed`;
  if (requests < ENOUGH_REQUESTS || errors / requests < MANY_ERRORS) return ok('errors', says);
  return fail('errors', says, 'Look for "request failed" and "request refused" in the logs of the nodes.');
}

function checkLag({ nodes }: Moment): Finding {
  const slow = nodes.filter(({ lagMs }) => lagMs > MAX_LAG_MS);
  if (slow.length === 0) return ok('lag', 'every node answers at once');
  const says = slow.map(({ name, lagMs }) => `${name} (${Math.round(lagMs)} ms)`).join(', ');
  return warn('lag', `nodes are late: ${says}`, 'They have too much to do: start more nodes, or give them more CPU.');
}

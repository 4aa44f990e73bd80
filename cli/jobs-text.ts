/** Formats queues, workers and work for people. */
import type { WorkerBeat } from '../src/kernel/jobs/heartbeat';
import type { WorkItem } from '../src/kernel/jobs/work-queue-admin';
import type { QueueReport, ScheduleReport } from '../src/kernel/jobs/queue-report';
import type { InWorkQueue } from '../src/ops/model/work';
import { columns, table } from './text';

const seconds = (ms: number | null): string => (ms === null ? '-' : `${(ms / 1000).toFixed(1)} s`);
const withinMs = (ms: number | null): string =>
  ms === null ? '-' : ms >= Number.MAX_SAFE_INTEGER ? '> 5 min' : `≤ ${ms} ms`;

export const queueTable = (queues: readonly QueueReport[]): string =>
  table(
    ['queue', 'waiting', 'oldest', 'active', 'delayed', 'failed', 'done/min', 'failed/min', 'p50', 'p95', 'paused'],
    queues.map((each) => [
      each.queue,
      each.waiting,
      seconds(each.oldestMs),
      each.active,
      each.delayed,
      each.failed,
      each.donePerMinute,
      each.failedPerMinute,
      withinMs(each.p50Ms),
      withinMs(each.p95Ms),
      each.isPaused,
    ]),
    'there are no queues',
  );

export const scheduleTable = (schedules: readonly ScheduleReport[]): string =>
  table(
    ['queue', 'every', 'next', 'runs'],
    schedules.map((each) => [each.queue, each.pattern ?? seconds(each.everyMs), each.nextAt, each.runs ?? '-']),
    'nothing is scheduled',
  );

export const workerTable = (workers: readonly WorkerBeat[]): string =>
  table(
    ['worker', 'host', 'pid', 'beat', 'doing'],
    workers.map((each) => [each.name, each.host, each.pid, each.beatAt, doing(each)]),
    'there are no workers: is one running?',
  );

function doing({ queues, isDraining }: WorkerBeat): string {
  const running = queues.flatMap(({ queue, running: jobs }) =>
    jobs.map(({ id, since }) => `${queue} ${id} since ${since}`),
  );
  return [...(isDraining ? ['draining'] : []), ...running].join('; ') || 'nothing';
}

export const workTable = (items: readonly InWorkQueue<WorkItem>[]): string =>
  table(
    ['work queue', 'id', 'state', 'subject', 'kind', 'attempts', 'created', 'reason'],
    items.map((each) => [
      each.workQueue,
      each.id,
      each.state,
      each.subject,
      each.kind,
      each.attempts,
      each.createdAt,
      (each.reason ?? '').slice(0, 100),
    ]),
    'there is nothing',
  );

/** The facts line by line, then the payload as JSON. */
export function workText({ payload, ...facts }: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(facts).map(([name, value]) => [name, printed(value)]);
  // JSON escapes all terminal control characters but these.
  const shown = JSON.stringify(payload, null, 2).replaceAll(/[\u007f-\u009f]/g, '\ufffd');
  return `${columns(lines)}\n${shown}`;
}

const printed = (value: unknown): string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as string | number | boolean | null)
    : JSON.stringify(value);

/** Exposes queues, work queues and workers as metrics, read on requests of /metrics at most every few seconds. */
import type { WorkQueueAdmin } from '../../kernel/jobs/work-queue-admin';
import { listWorkers } from '../../kernel/jobs/heartbeat';
import { reportQueues, type QueueReport } from '../../kernel/jobs/queue-report';
import type { Kernel } from '../../kernel/kernel';
import type { Sample } from '../../kernel/metrics';
import type { Keyspace } from '../../kernel/redis/connections';
import type { WorkQueueReport } from '../model/work';
import { reportWorkQueues } from './find-work';

type Parts = Keyspace & Pick<Kernel, 'jobs' | 'log' | 'metrics' | 'mysql'>;

const FRESH_MS = 2000;

interface Snapshot {
  readonly queues: readonly QueueReport[];
  readonly workQueues: readonly WorkQueueReport[];
  readonly workers: number;
}

const NOTHING: Snapshot = { queues: [], workQueues: [], workers: 0 };

export function measureWork(kernel: Parts, admins: readonly WorkQueueAdmin[]): void {
  let taken: { at: number; snapshot: Promise<Snapshot> } | undefined;

  async function take(): Promise<Snapshot> {
    try {
      const [queues, backlogs, workers] = await Promise.all([
        reportQueues(kernel),
        reportWorkQueues(kernel, admins),
        listWorkers(kernel),
      ]);
      return { queues, workQueues: backlogs, workers: workers.length };
    } catch (error) {
      // The other metrics stay available while Redis or MySQL is down.
      kernel.log.debug({ error }, 'could not measure the queues');
      return NOTHING;
    }
  }

  function snapshot(): Promise<Snapshot> {
    if (!taken || Date.now() - taken.at > FRESH_MS) taken = { at: Date.now(), snapshot: take() };
    return taken.snapshot;
  }

  const measure = (name: string, help: string, labels: readonly string[], read: (all: Snapshot) => Sample[]) =>
    kernel.metrics.gauges(name, help, labels, async () => read(await snapshot()));

  measure('partyline_queue_jobs', 'Jobs in a queue by state', ['queue', 'state'], ({ queues }) =>
    queues.flatMap((queue) =>
      (['waiting', 'active', 'delayed', 'failed', 'completed'] as const).map((state) => ({
        labels: { queue: queue.queue, state },
        value: queue[state],
      })),
    ),
  );
  const ofQueues = (name: string, help: string, read: (queue: QueueReport) => number) =>
    measure(name, help, ['queue'], ({ queues }) =>
      queues.map((queue) => ({ labels: { queue: queue.queue }, value: read(queue) })),
    );
  ofQueues('partyline_queue_oldest_seconds', 'Age of the oldest waiting job', (queue) => (queue.oldestMs ?? 0) / 1000);
  ofQueues('partyline_queue_paused', 'Whether a queue is paused', (queue) => Number(queue.isPaused));
  ofQueues('partyline_queue_done_per_minute', 'Jobs done, over five minutes', (queue) => queue.donePerMinute);
  ofQueues('partyline_queue_failed_per_minute', 'Jobs failed, over five minutes', (queue) => queue.failedPerMinute);
  measure('partyline_queue_latency_seconds', 'From due to done, over five minutes', ['queue', 'quantile'], (all) =>
    all.queues.flatMap(({ queue, p50Ms, p95Ms }) =>
      p50Ms === null || p95Ms === null
        ? []
        : [
            { labels: { queue, quantile: '0.5' }, value: p50Ms / 1000 },
            { labels: { queue, quantile: '0.95' }, value: p95Ms / 1000 },
          ],
    ),
  );
  const ofWorkQueues = (name: string, help: string, read: (workQueue: WorkQueueReport) => number) =>
    measure(name, help, ['work_queue'], (all) =>
      all.workQueues.map((workQueue) => ({ labels: { work_queue: workQueue.name }, value: read(workQueue) })),
    );
  ofWorkQueues('partyline_work_waiting', 'Work that waits in a work queue', (workQueue) => workQueue.waiting);
  ofWorkQueues(
    'partyline_work_oldest_seconds',
    'How long the oldest that is due has waited',
    (workQueue) => (workQueue.oldestMs ?? 0) / 1000,
  );
  ofWorkQueues('partyline_dead_letters', 'Work that failed for good', (workQueue) => workQueue.dead);
  measure('partyline_workers', 'Workers whose heart beats', [], ({ workers }) => [{ labels: {}, value: workers }]);
}

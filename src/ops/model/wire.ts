/** Wire formats of what operators see. */
import type { Wire } from '../../kernel/text/wire';
import type { WorkerBeat } from '../../kernel/jobs/heartbeat';
import type { WholeItem, WorkItem } from '../../kernel/jobs/work-queue-admin';
import type { QueueReport, ScheduleReport } from '../../kernel/jobs/queue-report';
import type * as answers from './answers';
import type { AuditEntry } from './audit';
import type { InWorkQueue, Named, WorkQueueReport } from './work';

export const queueObject = (report: QueueReport): Wire<typeof answers.queue> => ({
  queue: report.queue,
  is_paused: report.isPaused,
  waiting: report.waiting,
  active: report.active,
  delayed: report.delayed,
  failed: report.failed,
  completed: report.completed,
  oldest_ms: report.oldestMs,
  done_per_minute: report.donePerMinute,
  failed_per_minute: report.failedPerMinute,
  latency_ms: { p50: report.p50Ms, p95: report.p95Ms },
});

export const workQueueObject = ({ oldestMs, running, ...report }: WorkQueueReport): Wire<typeof answers.workQueue> => ({
  ...report,
  running: running ?? null,
  oldest_ms: oldestMs,
});

export const scheduleObject = (report: ScheduleReport): Wire<typeof answers.schedule> => ({
  queue: report.queue,
  name: report.name,
  every_ms: report.everyMs,
  pattern: report.pattern,
  next_at: report.nextAt,
  runs: report.runs,
});

export const workerObject = (beat: WorkerBeat): Wire<typeof answers.worker> => ({
  id: beat.id,
  name: beat.name,
  host: beat.host,
  pid: beat.pid,
  started_at: beat.startedAt,
  beat_at: beat.beatAt,
  is_draining: beat.isDraining,
  memory_bytes: beat.memoryBytes,
  queues: beat.queues,
});

export const workObject = (item: InWorkQueue<WorkItem> & Named): Wire<typeof answers.work> => ({
  work_queue: item.workQueue,
  id: item.id,
  state: item.state,
  tenant: item.tenant,
  tenant_name: item.tenantName,
  subject: item.subject,
  subject_name: item.subjectName,
  kind: item.kind,
  reference: item.reference,
  reason: item.reason,
  attempts: item.attempts,
  created_at: item.createdAt.toISOString(),
  finished_at: item.finishedAt?.toISOString() ?? null,
});

export const wholeObject = (item: InWorkQueue<WholeItem> & Named) => ({
  ...workObject(item),
  ...item.more,
  payload: item.payload,
});

export const auditObject = ({ at, ...entry }: AuditEntry): Wire<typeof answers.auditEntry> => ({
  ...entry,
  at: at.toISOString(),
});

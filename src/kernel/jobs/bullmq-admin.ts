/** The admin of the queues themselves: every job in BullMQ, by queue and id. Failed jobs are its dead letters. */
import type { Job, JobType } from 'bullmq';
import type { JobEnvelope } from './job';
import type { Jobs } from './jobs';
import type { WorkQueueAdmin, Remedy, WholeItem, WorkFilter, WorkItem, WorkState } from './work-queue-admin';

const TYPES: Readonly<Partial<Record<WorkState, readonly JobType[]>>> = {
  dead: ['failed'],
  running: ['active'],
  waiting: ['waiting', 'prioritized', 'delayed'],
  done: ['completed'],
};
const EVERY: readonly WorkState[] = ['dead', 'running', 'waiting', 'done'];
const PAGE = 500;
/** As many failed jobs as a queue keeps. */
const MAX_LOOKED_AT = 10_000;

export const bullmqAdmin: WorkQueueAdmin = {
  name: 'jobs',
  about: 'jobs in their queues; subject is the queue, kind the job',
  remedies: ['retry', 'discard'],
  async search(kernel, filter) {
    const states = filter.state === undefined ? EVERY : [filter.state];
    const names = await queuesOf(kernel.jobs, filter.subject);
    const found: WorkItem[] = [];
    // One queue after the other: reading thousands of jobs at once would block Redis and this process.
    for (const name of names) {
      for (const state of states) found.push(...(await searchQueue(kernel.jobs, name, state, filter)));
    }
    found.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    const after = found.findIndex(({ id }) => id === filter.before);
    return found.slice(after + 1).slice(0, filter.limit);
  },
  async get(kernel, id) {
    const job = await findJob(kernel.jobs, id);
    if (!job) return undefined;
    const state = stateOf(await job.getState());
    return { ...itemOf(job, state), payload: job.data as unknown, more: moreOf(job) };
  },
  backlog: {
    async read({ jobs }) {
      const names = await jobs.registry.names();
      const counts = await Promise.all(
        names.map(async (name) =>
          (await jobs.registry.queue(name)).getJobCounts('waiting', 'prioritized', 'active', 'failed'),
        ),
      );
      const sumOf = (type: string): number => counts.reduce((sum, each) => sum + (each[type] ?? 0), 0);
      const waiting = sumOf('waiting') + sumOf('prioritized');
      // Ages are reported per queue.
      return { waiting, running: sumOf('active'), oldestMs: null, dead: sumOf('failed') };
    },
  },
  async apply(kernel, _tx, remedy, ids) {
    const changed: string[] = [];
    for (const id of ids) {
      const job = await findJob(kernel.jobs, id);
      if (job && (await mend(job, remedy, stateOf(await job.getState())))) changed.push(id);
    }
    return changed;
  },
};

async function mend(job: Job, remedy: Remedy, state: WorkState): Promise<boolean> {
  if (remedy === 'retry' && state === 'dead') await job.retry('failed', { resetAttemptsMade: true });
  else if (remedy === 'discard' && (state === 'dead' || state === 'waiting')) return remove(job);
  else return false;
  return true;
}

/** A job that a worker has just taken stays, and so does the next one of a schedule. */
async function remove(job: Job): Promise<boolean> {
  try {
    await job.remove();
    return true;
  } catch {
    return false;
  }
}

async function queuesOf(jobs: Jobs, subject: string | undefined): Promise<string[]> {
  const names = await jobs.registry.names();
  return subject === undefined ? names : names.filter((name) => name === subject);
}

async function searchQueue(jobs: Jobs, name: string, state: WorkState, filter: WorkFilter): Promise<WorkItem[]> {
  const types = TYPES[state];
  if (!types) return [];
  const queue = await jobs.registry.queue(name);
  const found: WorkItem[] = [];
  // The page starts at `before`, so more than one page may have to be read.
  const enough = filter.before === undefined ? filter.limit : MAX_LOOKED_AT;
  for (let start = 0; start < MAX_LOOKED_AT && found.length < enough; start += PAGE) {
    const page = (await queue.getJobs([...types], start, start + PAGE - 1)).filter(Boolean);
    found.push(...page.filter((job) => matches(job, filter)).map((job) => itemOf(job, state)));
    if (page.length < PAGE) break;
  }
  return found;
}

function matches(job: Job, { kind, reference, error, tenant }: WorkFilter): boolean {
  if (tenant !== undefined && tenantIn(job) !== tenant) return false;
  if (kind !== undefined && job.name !== kind) return false;
  if (reference !== undefined && job.id !== reference && idOf(job) !== reference && !mentions(job, reference)) {
    return false;
  }
  return error === undefined || (job.failedReason ?? '').toLowerCase().includes(error.toLowerCase());
}

const mentions = (job: Job, text: string): boolean => JSON.stringify(job.data ?? null).includes(JSON.stringify(text));

/** The kernel's own jobs belong to no tenant. */
function tenantIn(job: Job): string | null {
  const tenant = (job.data as Partial<JobEnvelope<unknown>> | null)?.tenant ?? null;
  return tenant?.startsWith('kernel:') ? null : tenant;
}

const idOf = (job: Job): string => `${job.queueName}:${job.id}`;

async function findJob(jobs: Jobs, id: string): Promise<Job | undefined> {
  const colon = id.indexOf(':');
  const name = id.slice(0, colon);
  if (colon < 1 || !(await jobs.registry.names()).includes(name)) return undefined;
  return (await jobs.registry.queue(name)).getJob(id.slice(colon + 1));
}

const stateOf = (state: string): WorkState =>
  EVERY.find((each) => TYPES[each]?.some((type) => type === state)) ?? 'waiting';

function itemOf(job: Job, state: WorkState): WorkItem {
  return {
    id: idOf(job),
    state,
    tenant: tenantIn(job),
    subject: job.queueName,
    kind: job.name,
    reference: job.id ?? null,
    reason: job.failedReason ?? null,
    attempts: job.attemptsMade,
    createdAt: new Date(job.timestamp),
    finishedAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
  };
}

const moreOf = (job: Job): WholeItem['more'] => ({
  begun: job.processedOn === undefined ? null : new Date(job.processedOn).toISOString(),
  stalled: job.stalledCounter,
  trace: job.stacktrace?.slice(-1) ?? [],
});

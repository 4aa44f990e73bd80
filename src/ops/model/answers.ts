/** Schemas of what operators see. */
import { z } from 'zod';
import { REMEDIES, WORK_STATES } from '../../kernel/jobs/work-queue-admin';

const time = z.string().meta({ format: 'date-time' });

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().optional().meta({ description: 'Present if access is refused; for pages' }),
  })
  .meta({ id: 'OperatorProblem' });

export const operator = z.object({ name: z.string(), access: z.enum(['read', 'full']) }).meta({ id: 'Operator' });

export const operatorKey = z
  .object({ name: z.string(), key: z.string().meta({ description: 'Shown only once' }) })
  .meta({ id: 'OperatorKey' });
export const operatorsAnswer = z.object({ operators: z.array(operator.extend({ created_at: time })) });

const signedIn = operator.extend({
  signed_in: z.literal(true),
  token: z.string().meta({ description: 'Send this as X-Partyline-Token with every request' }),
});
export const signedInAnswer = signedIn.meta({ id: 'OperatorSession' });
export const sessionAnswer = z.union([
  signedIn,
  z.object({
    signed_in: z.literal(false),
    demo_operators: z
      .array(operator)
      .optional()
      .meta({ description: 'Accounts for one-click sign-in; development servers only' }),
  }),
]);
export const NOTHING = z.object({});

export const queue = z
  .object({
    queue: z.string(),
    is_paused: z.boolean(),
    waiting: z.int(),
    active: z.int(),
    delayed: z.int(),
    failed: z.int(),
    completed: z.int(),
    oldest_ms: z.number().nullable(),
    done_per_minute: z.number(),
    failed_per_minute: z.number(),
    latency_ms: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
  })
  .meta({ id: 'Queue' });
export const queuesAnswer = z.object({ queues: z.array(queue) });
export const pausedAnswer = z.object({ queue: z.string(), is_paused: z.boolean() });

export const schedule = z
  .object({
    queue: z.string(),
    name: z.string(),
    every_ms: z.number().nullable(),
    pattern: z.string().nullable(),
    next_at: time.nullable(),
    runs: z.int().nullable(),
  })
  .meta({ id: 'Schedule' });
export const schedulesAnswer = z.object({ schedules: z.array(schedule) });

const running = z.object({ id: z.string(), since: time, payload: z.unknown() });
export const worker = z
  .object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    pid: z.int(),
    started_at: time,
    beat_at: time,
    is_draining: z.boolean(),
    memory_bytes: z.int(),
    queues: z.array(z.object({ queue: z.string(), concurrency: z.int(), taken: z.int(), running: z.array(running) })),
  })
  .meta({ id: 'Worker' });
export const workersAnswer = z.object({ workers: z.array(worker) });

export const auditEntry = z
  .object({
    id: z.int(),
    at: time,
    operator: z.string(),
    via: z.string(),
    action: z.string(),
    target: z.string(),
    count: z.int().nullable().meta({ description: 'Null if it is not counted' }),
  })
  .meta({ id: 'OperatorAction' });
export const auditAnswer = z.object({ entries: z.array(auditEntry) });

export const workQueue = z
  .object({
    name: z.string(),
    about: z.string(),
    remedies: z.array(z.enum(REMEDIES)),
    waiting: z.int(),
    running: z.int().nullable().meta({ description: 'Null if running work cannot be told apart from waiting work' }),
    oldest_ms: z.number().nullable(),
    dead: z.int(),
  })
  .meta({ id: 'WorkQueue' });
export const workQueuesAnswer = z.object({ work_queues: z.array(workQueue) });

export const work = z
  .object({
    work_queue: z.string(),
    id: z.string(),
    state: z.enum(WORK_STATES),
    tenant: z.string().nullable(),
    tenant_name: z.string().nullable(),
    subject: z.string(),
    subject_name: z.string().nullable().meta({ description: 'Of a PBX or a carrier account' }),
    kind: z.string(),
    reference: z.string().nullable(),
    reason: z.string().nullable(),
    attempts: z.int(),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: 'Work' });
export const jobsAnswer = z.object({ jobs: z.array(work) });
export const deadLettersAnswer = z.object({ dead_letters: z.array(work) });

/** With its payload and further fields that depend on the work queue. */
export const wholeWork = work.extend({ payload: z.unknown() }).catchall(z.unknown()).meta({ id: 'WholeWork' });

export const mendedAnswer = z.object({ work_queue: z.string(), id: z.string() });
export const mendedAllAnswer = z.object({ count: z.int() });

export const tenant = z
  .object({
    kind: z.string(),
    id: z.string(),
    tenant: z.string(),
    name: z.string(),
    address: z.string().meta({ description: 'The subdomain of an organisation' }),
    is_active: z.boolean(),
    created_at: time,
    last_active_at: time.nullable(),
    sizes: z.record(z.string(), z.number()),
    limits: z.record(z.string(), z.int().nullable()).meta({ description: 'Null means unlimited' }),
  })
  .meta({ id: 'Tenant' });

const kind = z
  .object({ kind: z.string(), fields: z.array(z.string()), limits: z.array(z.string()) })
  .meta({ id: 'TenantKind' });

export const tenantsAnswer = z.object({ kinds: z.array(kind), tenants: z.array(tenant) });
export const ownerInvitation = z
  .object({
    email: z.string(),
    link: z
      .string()
      .nullable()
      .meta({ description: 'To hand over, if the server sends no mail; null if it was mailed' }),
  })
  .meta({ id: 'OwnerInvitation' });
export const tenantAdded = z.object({
  kind: z.string(),
  id: z.string(),
  tenant: z.string(),
  key: z.string().nullable().meta({ description: 'The API key of a company, shown only once' }),
  invitation: ownerInvitation.nullable(),
});

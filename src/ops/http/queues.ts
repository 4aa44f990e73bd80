/** Routes of queues, schedules, workers and the audit trail. */
import { z } from 'zod';
import { integer, text } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { listWorkers } from '../../kernel/jobs/heartbeat';
import { reportQueues, reportSchedules } from '../../kernel/jobs/queue-report';
import { pauseQueue } from '../commands/pause-queue';
import { listAudit } from '../queries/list-audit';
import { auditObject, queueObject, scheduleObject, workerObject } from '../model/wire';
import { actorOf, type Caller } from './access';
import { auditAnswer, operator, pausedAnswer, queuesAnswer, schedulesAnswer, workersAnswer } from '../model/answers';

const { get, post } = routesFor<Caller>();

const MAX_ENTRIES = 500;
export const limitParam = integer.pipe(z.int().min(1).max(MAX_ENTRIES)).default(100);

export const queueRoutes = [
  get('/me', {
    summary: 'Get your own operator account and its rights',
    answer: operator,
    run: ({ by: { name, access } }) => Promise.resolve({ name, access }),
  }),
  get('/queues', {
    summary: 'List the queues: depth by state, age of the oldest job, rate, failures, latency, paused',
    answer: queuesAnswer,
    run: async ({ kernel }) => ({ queues: (await reportQueues(kernel)).map(queueObject) }),
  }),
  post('/queues/:queue/pause', {
    summary: 'Pause a queue on every worker',
    answer: pausedAnswer,
    params: { queue: text },
    run: async ({ kernel, by, params: { queue } }) => {
      await pauseQueue(kernel, queue, true, actorOf(by));
      return { queue, is_paused: true };
    },
  }),
  post('/queues/:queue/resume', {
    summary: 'Resume a queue',
    answer: pausedAnswer,
    params: { queue: text },
    run: async ({ kernel, by, params: { queue } }) => {
      await pauseQueue(kernel, queue, false, actorOf(by));
      return { queue, is_paused: false };
    },
  }),
  get('/schedules', {
    summary: 'List the scheduled jobs, with the next time of each',
    answer: schedulesAnswer,
    run: async ({ kernel }) => ({ schedules: (await reportSchedules(kernel)).map(scheduleObject) }),
  }),
  get('/workers', {
    summary: 'List the live workers, with the current jobs of each',
    answer: workersAnswer,
    run: async ({ kernel }) => ({ workers: (await listWorkers(kernel)).map(workerObject) }),
  }),
  get('/audit', {
    summary: 'List the audit log of operators, newest first',
    answer: auditAnswer,
    params: { limit: limitParam, before: integer.optional() },
    run: async ({ kernel, params: { limit, before } }) => ({
      entries: (await listAudit(kernel, limit, before)).map(auditObject),
    }),
  }),
];

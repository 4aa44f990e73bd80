/** Routes of the overview and history, of queues, schedules, workers and the audit trail. */
import { z } from 'zod';
import { integer, text } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { listWorkers } from '../../kernel/jobs/heartbeat';
import { reportQueues, reportSchedules } from '../../kernel/jobs/queue-report';
import { pauseQueue } from '../commands/mend-work';
import { auditAnswer, operator, pausedAnswer, queuesAnswer, schedulesAnswer, workersAnswer } from '../model/answers';
import type { Span } from '../model/history';
import type { Overview } from '../model/live-findings';
import { historyAnswer, overviewAnswer } from '../model/overview-answers';
import { overviewObject } from '../model/overview-wire';
import { auditObject, queueObject, scheduleObject, workerObject } from '../model/wire';
import { readHistory } from '../queries/node-reports';
import { listAudit } from '../queries/operators';
import { actorOf, type Caller } from './access';

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
  ...([true, false] as const).map((isPaused) =>
    post(`/queues/:queue/${isPaused ? 'pause' : 'resume'}`, {
      summary: isPaused ? 'Pause a queue on every worker' : 'Resume a queue',
      answer: pausedAnswer,
      run: async ({ kernel, by, params: { queue } }) => {
        await pauseQueue(kernel, queue, isPaused, actorOf(by));
        return { queue, is_paused: isPaused };
      },
    }),
  ),
  get('/schedules', {
    summary: 'List the scheduled jobs, with the next time of each',
    answer: schedulesAnswer,
    run: async ({ kernel }) => ({ schedules: (await reportSchedules(kernel.jobs)).map(scheduleObject) }),
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
      entries: (await listAudit(kernel.mysql, limit, before)).map(auditObject),
    }),
  }),
];

export const overviewRoutes = (getOverview: () => Promise<Overview>) => [
  get('/overview', {
    summary: 'Get problems with advice, and the state of nodes, Redis, MySQL and the slowest routes',
    answer: overviewAnswer,
    isExpensive: true,
    run: async () => overviewObject(await getOverview()),
  }),
  get('/history', {
    summary: 'Get rates and levels over the last hour, by minute, or over the last day',
    answer: historyAnswer,
    params: { span: text.pipe(z.enum(['hour', 'day'] satisfies Span[])).default('hour') },
    run: ({ kernel, params: { span } }) => readHistory(kernel, span),
  }),
];

/** Routes of the work queues: search, dead letters, and remedies. */
import { z } from 'zod';
import { text } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { WORK_STATES, type Remedy } from '../../kernel/jobs/work-queue-admin';
import { mendAll, mendOne } from '../commands/mend-work';
import type { WorkQueueAdmins } from '../model/work';
import { getAdmin, getWork, searchWork, reportWorkQueues } from '../queries/find-work';
import type { NameWork } from '../queries/name-work';
import { actorOf, type Caller } from './access';
import { limitParam } from './queues';
import { workQueueObject, wholeObject, workObject } from '../model/wire';
import {
  deadLettersAnswer,
  workQueuesAnswer,
  jobsAnswer,
  mendedAllAnswer,
  mendedAnswer,
  wholeWork,
} from '../model/answers';

const { get, post } = routesFor<Caller>();

/** Deliveries call subject, kind and reference `bot`, `integration` and `delivery`. */
const filterParams = {
  subject: text.optional(),
  bot: text.optional(),
  kind: text.optional(),
  integration: text.optional(),
  reference: text.optional(),
  delivery: text.optional(),
  error: text.optional(),
  tenant: text.optional(),
};
type FilterParams = { readonly [K in keyof typeof filterParams]?: string | undefined };

const filterOf = (params: FilterParams) => ({
  subject: params.subject ?? params.bot,
  kind: params.kind ?? params.integration,
  reference: params.reference ?? params.delivery,
  error: params.error,
  tenant: params.tenant,
});

const page = { work_queue: text.optional(), before: text.optional(), limit: limitParam };

export const workRoutes = (admins: WorkQueueAdmins, nameWork: NameWork) => [
  get('/work-queues', {
    summary: 'List the kinds of work: backlog, age, number of dead letters, possible actions',
    answer: workQueuesAnswer,
    run: async ({ kernel }) => ({ work_queues: (await reportWorkQueues(kernel, admins)).map(workQueueObject) }),
  }),
  get('/jobs', {
    summary: 'Search work by state, bot, integration, delivery id, tenant or error, newest first',
    answer: jobsAnswer,
    isExpensive: true,
    params: { ...page, ...filterParams, state: text.pipe(z.enum(WORK_STATES)).optional() },
    run: async ({ kernel, params }) => {
      const { work_queue: workQueue, before, limit, state } = params;
      const found = await searchWork(kernel, admins, { ...filterOf(params), workQueue, before, limit, state });
      return { jobs: (await nameWork(found)).map(workObject) };
    },
  }),
  get('/dead-letters', {
    summary: 'List dead letters, newest first',
    answer: deadLettersAnswer,
    params: { ...page, ...filterParams },
    run: async ({ kernel, params }) => {
      const { work_queue: workQueue, before, limit } = params;
      const found = await searchWork(kernel, admins, { ...filterOf(params), workQueue, before, limit, state: 'dead' });
      return { dead_letters: (await nameWork(found)).map(workObject) };
    },
  }),
  get('/jobs/:work_queue/:id', {
    summary: 'Get one work item with its payload; credentials in it are masked',
    answer: wholeWork,
    async run({ kernel, params: { work_queue: workQueue, id } }) {
      const [named] = await nameWork([await getWork(kernel, admins, workQueue, id)]);
      return wholeObject(named!);
    },
  }),
  ...(['retry', 'discard', 'replay'] as const).map((remedy) => remedyRoute(admins, remedy)),
  ...(['retry', 'discard'] as const).map((remedy) => remedyForAllRoute(admins, remedy)),
];

const SUMMARIES: Readonly<Record<Remedy, string>> = {
  retry: 'Retry a dead letter',
  discard: 'Discard work that is not done yet',
  replay: 'Repeat finished work as a copy, with a result of its own',
};

const remedyRoute = (admins: WorkQueueAdmins, remedy: Remedy) =>
  post(`/jobs/:work_queue/:id/${remedy}`, {
    summary: SUMMARIES[remedy],
    answer: mendedAnswer,
    run: async ({ kernel, by, params: { work_queue: workQueue, id } }) => ({
      work_queue: workQueue,
      id: await mendOne(kernel, getAdmin(admins, workQueue), id, { remedy, by: actorOf(by) }),
    }),
  });

const remedyForAllRoute = (admins: WorkQueueAdmins, remedy: 'retry' | 'discard') =>
  post(`/dead-letters/${remedy}`, {
    summary: `${remedy === 'retry' ? 'Retry' : 'Discard'} all dead letters of one kind that match the filter`,
    answer: mendedAllAnswer,
    params: { work_queue: text, ...filterParams },
    run: async ({ kernel, by, params }) => ({
      count: await mendAll(kernel, getAdmin(admins, params.work_queue), filterOf(params), { remedy, by: actorOf(by) }),
    }),
  });

/** Routes of the overview and of the metrics of the last hour and day. */
import { z } from 'zod';
import { text } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { historyAnswer, overviewAnswer } from '../model/overview-answers';
import { historyObject, overviewObject } from '../model/overview-wire';
import type { Span } from '../model/history';
import type { Overview } from '../queries/get-overview';
import { readHistory } from '../queries/read-history';
import type { Caller } from './access';

const { get } = routesFor<Caller>();

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
    run: async ({ kernel, params: { span } }) => historyObject(span, await readHistory(kernel, span)),
  }),
];

/** Portal routes about extensions: their provisioning state, and bulk orders. */
import { z } from 'zod';
import { routesFor } from '../../../kernel/http/route';
import { bulkOrders, standings } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { MAX_NUMBER } from '../../model/extensions/extension-draft';
import { noInstance } from '../../model/faults';
import { listBulkOrders, listStandings } from '../../queries/portal/lists';

const { get } = routesFor<Caller>();

/** One page of a list. */
const MAX_NUMBERS = 200;

const numbers = z
  .string()
  .max(MAX_NUMBERS * 16)
  .transform((text) => [...new Set(text.split(',').filter((part) => part !== ''))].map(Number))
  .pipe(z.array(z.int().min(1).max(MAX_NUMBER)).max(MAX_NUMBERS))
  .meta({ type: 'string', description: 'Extension numbers, separated by commas' });

export const extensionRoutes = [
  get('/instances/:instance_uuid/standings', {
    summary: 'Get the PBX state of extensions: ready, waiting, failed or drifted',
    answer: standings,
    refuses: [noInstance()],
    params: { numbers },
    run: ({ kernel, by, params }) =>
      listStandings(kernel.mysql, by, { uuid: params.instance_uuid, numbers: params.numbers }),
  }),
  get('/bulks', {
    summary: 'List your recent bulk orders, newest first; those of the whole company as the owner',
    answer: bulkOrders,
    run: ({ kernel, by }) => listBulkOrders(kernel.mysql, by),
  }),
];

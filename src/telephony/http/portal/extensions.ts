/** Portal routes about extensions: their provisioning state and credentials, and bulk orders. */
import { z } from 'zod';
import { routesFor } from '../../../kernel/http/route';
import { showCredentials } from '../../commands/portal/show-credentials';
import { bulkOrders, credentials, standings } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { MAX_NUMBER } from '../../model/extensions/extension-draft';
import { noExtension, noInstance, notYours } from '../../model/faults';
import { listBulkOrders, listStandings } from '../../queries/portal/lists';

const { get, post } = routesFor<Caller>();

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
  post('/instances/:instance_uuid/extensions/:extension_id/credentials', {
    summary: "Show an extension's credentials, which the audit trail notes: the owner's, or your own extension's",
    answer: credentials,
    refuses: [notYours('extension'), noExtension(), noInstance()],
    run: ({ kernel, by, params }) =>
      showCredentials(kernel, by, { uuid: params.instance_uuid, id: params.extension_id }),
  }),
  get('/bulks', {
    summary: 'List your recent bulk orders, newest first; those of the whole company as the owner',
    answer: bulkOrders,
    run: ({ kernel, by }) => listBulkOrders(kernel.mysql, by),
  }),
];

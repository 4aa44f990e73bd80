/** Portal routes about extensions: their provisioning state and credentials, and bulk orders. */
import { z } from 'zod';
import { routesFor } from '../../../kernel/http/route';
import { getBulkFile, keepBulkFile } from '../../commands/extensions/keep-bulk-file';
import { retryOrder } from '../../commands/extensions/retry-order';
import { showCredentials } from '../../commands/portal/show-credentials';
import { extension, operation } from '../../model/answers/extensions';
import { bulkFile, bulkFileShape, bulkOrders, credentials, holdings, standings } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { MAX_NUMBER } from '../../model/extensions/extension-draft';
import { mustConfirm } from '../../model/extensions/voicemail-loss';
import { noBulkOrder, noExtension, noInstance, notYours, unassignedIsOwners } from '../../model/faults';
import type { Ordering } from '../../parts';
import { listBulkOrders, listHoldings, listStandings } from '../../queries/portal/lists';
import { answerOf, orderOptionsOf } from '../extensions/extension-orders';
import { pbxFailed } from '../refusals';

const { get, post, put } = routesFor<Caller>();

/** One page of a list. */
const MAX_NUMBERS = 200;

const numbers = z
  .string()
  .max(MAX_NUMBERS * 16)
  .transform((text) => [...new Set(text.split(',').filter((part) => part !== ''))].map(Number))
  .pipe(z.array(z.int().min(1).max(MAX_NUMBER)).max(MAX_NUMBERS))
  .meta({ type: 'string', description: 'Extension numbers, separated by commas' });

export const extensionRoutes = (context: Ordering) => [
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
  post('/instances/:instance_uuid/extensions/:extension_id/retry', {
    summary: 'Order again what failed last for an extension, or push what is stored',
    answer: { 200: extension, 202: operation },
    refuses: [
      mustConfirm(['secret']),
      notYours('extension'),
      unassignedIsOwners(),
      noExtension(),
      noInstance(),
      pbxFailed(),
    ],
    waitsElsewhere: true,
    params: { discard_voicemail: z.boolean().default(false) },
    run: async ({ by, params, incoming }) =>
      answerOf(
        await retryOrder(context, by, {
          uuid: params.instance_uuid,
          id: params.extension_id,
          mayDiscard: params.discard_voicemail,
          options: orderOptionsOf(incoming),
        }),
      ),
  }),
  get('/holdings', {
    summary: 'List which person of your company has which extensions, by number',
    answer: holdings,
    run: ({ kernel, by }) => listHoldings(kernel.mysql, by),
  }),
  get('/bulks', {
    summary: 'List your recent bulk orders, newest first; those of the whole company as the owner',
    answer: bulkOrders,
    run: ({ kernel, by }) => listBulkOrders(kernel.mysql, by),
  }),
  get('/bulks/:bulk_id/file', {
    summary: 'Get the columns and lines of the file that a bulk order came from',
    answer: bulkFile,
    refuses: [noBulkOrder()],
    run: ({ kernel, by, params }) => getBulkFile(kernel.mysql, by, params.bulk_id),
  }),
  put('/bulks/:bulk_id/file', {
    summary: 'Keep the columns and lines of the file that a bulk order came from',
    answer: bulkFile,
    refuses: [noBulkOrder()],
    params: bulkFileShape,
    run: ({ kernel, by, params: { bulk_id: id, ...file } }) => keepBulkFile(kernel, by, id, file),
  }),
];

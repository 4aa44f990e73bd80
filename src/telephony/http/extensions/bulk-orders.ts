/** Routes of bulk orders, from a JSON array or CSV. */
import { z } from 'zod';
import { Outgoing } from '../../../kernel/http/outgoing';
import { routesFor } from '../../../kernel/http/route';
import { getBulkOrder, orderMany, tryMany } from '../../commands/extensions/order-many';
import { BULK_MODES } from '../../model/extensions/bulk';
import type { Caller } from '../../model/contacts/contact';
import { anyOf } from '../../../kernel/text/plain-words';
import { bulkOrder, bulkTrial } from '../../model/answers/extensions';
import { invalid, noBulkOrder, noInstance } from '../../model/faults';

const { get, post } = routesFor<Caller>();

const isYes = (text: string | undefined): boolean => ['', '1', 'true', 'yes', 'on'].includes(text ?? 'no');

export const bulkRoutes = [
  post('/instances/:instance_uuid/bulks/extensions/import', {
    summary: 'Create and update many extensions from a JSON array or text/csv; dry_run=true only validates',
    answer: { 200: bulkTrial, 202: bulkOrder },
    refuses: [invalid('mode: is not valid'), noInstance()],
    status: 202,
    params: {
      mode: z.enum(BULK_MODES).default('upsert'),
      dry_run: anyOf([z.string(), z.boolean().transform(String)]).optional(),
    },
    run: async ({ kernel, by, params, incoming }) => {
      const request = { uuid: params.instance_uuid, body: incoming.body, mode: params.mode };
      if (isYes(params.dry_run)) return new Outgoing(await tryMany(kernel, by, request), { status: 200 });
      const order = (await orderMany(kernel, by, request)) as { id: string };
      return new Outgoing(order, { headers: { Location: `/bulks/${order.id}` } });
    },
  }),
  get('/bulks/:bulk_id', {
    summary: 'Get the progress of a bulk order, with a result for each row',
    answer: bulkOrder,
    refuses: [noBulkOrder()],
    isExpensive: true,
    run: ({ kernel, by, params }) => getBulkOrder(kernel.mysql, by, params.bulk_id),
  }),
];

/** Routes of faxes and of the addresses that are notified of them. */
import { z } from 'zod';
import { flag } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import {
  addDestination,
  changeDestination,
  markFaxRead,
  removeDestination,
  removeFax,
} from '../../commands/files/change-faxes';
import { sendFax } from '../../commands/files/send-fax';
import type { Caller } from '../../model/contacts/contact';
import { invalid } from '../../model/faults';
import { FAX_STATUSES } from '../../model/files/fax';
import * as field from '../../model/fields';
import { numberField } from '../../model/texting/phone-number';
import { getDestination, getFax, listDestinations, listFaxes } from '../../queries/files/files';
import { paged, pageShape } from '../list-params';
import { anyOf } from '../../../kernel/text/plain-words';
import { destination, destinations, fax, faxes } from '../../model/answers/files';

const { get, post, patch, del } = routesFor<Caller>();
const MAX_EMAILS = 50;
const emails = z.array(field.email).min(1, 'must not be empty').max(MAX_EMAILS);

export const faxRoutes = [
  get('/fax/messages', {
    summary: 'List the faxes of your company, newest first',
    answer: faxes,
    isExpensive: true,
    params: {
      ...pageShape,
      is_read: flag.optional(),
      direction: z.enum(['inbound', 'outbound']).optional(),
      status: z.enum(FAX_STATUSES).optional(),
    },
    run: ({ kernel, by, params }) => {
      const { is_read: isRead, direction, status } = params;
      return paged(params, (page) => listFaxes(kernel.readFrom, by, { filter: { isRead, direction, status }, page }));
    },
  }),
  post('/fax/messages', {
    summary: 'Send an uploaded file as a fax',
    answer: fax,
    status: 201,
    params: {
      to: numberField,
      to_name: field.line(100).optional(),
      from: numberField.nullish(),
      from_name: field.line(100).optional(),
      subject: field.line(255).optional(),
      pages: z.int().min(1).max(10_000).nullish(),
      file: anyOf([field.id(), z.object({ id: field.id() }).transform(({ id }) => id)]).optional(),
      file_id: field.id().optional(),
    },
    run: ({ kernel, by, params }) => {
      const fileId = params.file ?? params.file_id;
      if (fileId === undefined) throw invalid('file: is required');
      return sendFax(kernel, by, {
        fileId,
        to: params.to.e164,
        toName: params.to_name ?? '',
        from: params.from?.e164,
        fromName: params.from_name ?? '',
        subject: params.subject ?? '',
        pages: params.pages ?? 1,
      });
    },
  }),
  get('/fax/messages/:fax_id', {
    summary: 'Get a fax',
    answer: fax,
    run: ({ kernel, by, params }) => getFax(kernel.mysql, by, params.fax_id),
  }),
  patch('/fax/messages/:fax_id', {
    summary: 'Mark a fax as read or unread',
    answer: fax,
    params: { is_read: z.boolean() },
    run: ({ kernel, by, params }) => markFaxRead(kernel, by, params.fax_id, params.is_read),
  }),
  del('/fax/messages/:fax_id', {
    summary: 'Delete a fax; its file stays',
    answer: fax,
    run: ({ kernel, by, params }) => removeFax(kernel, by, params.fax_id),
  }),
  get('/fax/destinations', {
    summary: 'List the fax notification destinations of your company',
    answer: destinations,
    params: pageShape,
    run: ({ kernel, by, params }) => paged(params, (page) => listDestinations(kernel.mysql, by, page)),
  }),
  post('/fax/destinations', {
    summary: 'Add a fax notification destination',
    answer: destination,
    status: 201,
    params: { emails },
    run: ({ kernel, by, params }) => addDestination(kernel.mysql, by, params.emails),
  }),
  get('/fax/destinations/:destination_id', {
    summary: 'Get a fax notification destination',
    answer: destination,
    run: ({ kernel, by, params }) => getDestination(kernel.mysql, by, params.destination_id),
  }),
  patch('/fax/destinations/:destination_id', {
    summary: 'Change a fax notification destination',
    answer: destination,
    params: { emails: emails.optional() },
    run: ({ kernel, by, params }) => changeDestination(kernel.mysql, by, params.destination_id, params.emails),
  }),
  del('/fax/destinations/:destination_id', {
    summary: 'Remove a fax notification destination',
    answer: destination,
    run: ({ kernel, by, params }) => removeDestination(kernel.mysql, by, params.destination_id),
  }),
];

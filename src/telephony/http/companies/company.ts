/** Routes of the caller's company, its audit trail and its events. */
import { Outgoing } from '../../../kernel/http/outgoing';
import { integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { updateCompany } from '../../commands/companies/change-companies';
import { auditLines, company, contact } from '../../model/answers/company';
import { companyEventList } from '../../model/answers/events';
import type { Caller } from '../../model/contacts/contact';
import { notOwner, eventsForgotten } from '../../model/faults';
import * as field from '../../model/fields';
import { getCompany, listAudit } from '../../queries/companies/companies';
import { companyHead, listEvents } from '../../queries/companies/list-events';
import { getContact } from '../../queries/contacts/contacts';
import { paged, pageShape, idWord } from '../list-params';

const { get, patch } = routesFor<Caller>();

export const companyRoutes = [
  get('/system/company', {
    summary: 'Get your company',
    answer: company,
    run: ({ kernel, by }) => getCompany(kernel.mysql, by),
  }),
  get('/system/account', {
    summary: 'Get the user you act as',
    answer: contact,
    run: ({ kernel, by }) => getContact(kernel, by, by.contactId),
  }),
  patch('/company', {
    summary: 'Update your company; owner only',
    answer: company,
    refuses: [notOwner()],
    params: {
      address: field.address.optional(),
      affiliate: field.yesNo.optional(),
      billing_email: field.optionalEmail.optional(),
      description: field.paragraph.optional(),
      email: field.optionalEmail.optional(),
      emergency_contact_number: field.line(50).optional(),
      fax: field.line(50).optional(),
      name: field.name(190).optional(),
      onboarding: field.yesNo.optional(),
      partner_id: field.line(64).optional(),
      phone: field.line(50).optional(),
      revenue: field.whole(0, Number.MAX_SAFE_INTEGER).optional(),
      website: field.line().optional(),
    },
    run: ({ kernel, by, params }) => updateCompany(kernel.transaction, by, params),
  }),
  get('/company/audit', {
    summary: 'List the audit log, newest first; owner only',
    answer: auditLines,
    refuses: [notOwner()],
    isExpensive: true,
    params: { ...pageShape, action: idWord, object_id: idWord, contact_id: idWord },
    run: ({ kernel, by, params }) => {
      const { action, object_id, contact_id } = params;
      return paged(params, (page) => listAudit(kernel.mysql, by, { filter: { action, object_id, contact_id }, page }));
    },
  }),
];

const MAX = 1000;
const USUAL = 100;

export const eventRoutes = [
  get('/events', {
    summary: "Get your company's events after a number, oldest first; 410 if they were deleted",
    answer: companyEventList,
    refuses: [eventsForgotten(7)],
    isExpensive: true,
    params: {
      after: integer.refine((number) => number >= 0, 'must be 0 or more').optional(),
      limit: integer.refine((number) => number >= 1 && number <= MAX, `must be from 1 to ${MAX}`).default(USUAL),
    },
    run: async ({ kernel, by, params }) => {
      // Without a number nothing was missed, so the answer only carries the newest number to start from.
      const { events, head } =
        params.after === undefined
          ? { events: [], head: await companyHead(kernel.mysql, by.companyId) }
          : await listEvents(kernel, by, params.after, params.limit);
      return new Outgoing(events, { headers: { 'X-Event-Seq': String(head) } });
    },
  }),
];

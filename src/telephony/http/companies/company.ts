/** Routes of the company record, the acting user, and the audit trail. */
import { routesFor } from '../../../kernel/http/route';
import { updateCompany } from '../../commands/companies/update-company';
import type { Caller } from '../../model/contacts/contact';
import * as field from '../../model/fields';
import { pageOf } from '../../model/paging';
import { getCompany } from '../../queries/companies/get-company';
import { listAudit } from '../../queries/companies/list-audit';
import { getContact } from '../../queries/contacts/list-contacts';
import { listAnswer, pageShape, idWord } from '../list-params';
import { auditLines, company, contact } from '../../model/answers/company';
import { notOwner } from '../../model/faults';

const { get, patch } = routesFor<Caller>();

export const companyRoutes = [
  get('/system/company', {
    summary: 'Get your company',
    answer: company,
    run: ({ kernel, by }) => getCompany(kernel, by),
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
    run: ({ kernel, by, params }) => updateCompany(kernel, by, params),
  }),
  get('/company/audit', {
    summary: 'List the audit log, newest first; owner only',
    answer: auditLines,
    refuses: [notOwner()],
    isExpensive: true,
    params: { ...pageShape, action: idWord, object_id: idWord, contact_id: idWord },
    run: async ({ kernel, by, params }) => {
      const page = pageOf(params);
      const { action, object_id, contact_id } = params;
      return listAnswer(await listAudit(kernel, by, { filter: { action, object_id, contact_id }, page }), page);
    },
  }),
];

/** Routes of the company's users and their invitations. */
import { z } from 'zod';
import { Outgoing } from '../../../kernel/http/outgoing';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import {
  acceptInvitation,
  createContact,
  deleteContact,
  inviteContact,
  updateContact,
} from '../../commands/contacts/change-contacts';
import type { Caller } from '../../model/contacts/contact';
import {
  companyFull,
  emailTaken,
  invalid,
  invitationExpired,
  noContact,
  noInvitation,
  notOwner,
  notYours,
  otherCompany,
} from '../../model/faults';
import * as field from '../../model/fields';
import { getContact, listContacts } from '../../queries/contacts/contacts';
import { paged, pageShape, word } from '../list-params';
import { contact, contacts, invitedContact } from '../../model/answers/company';
import { NO_BODY } from '../../../kernel/http/answers';

const { get, post, patch, del } = routesFor<Caller>();

const phones = z
  .object({ home: field.line(50), mobile: field.line(50), other: field.line(50), work: field.line(50) })
  .partial()
  .nullable();

const details = {
  address: field.address.optional(),
  birthdate: field.date.optional(),
  contacts: z
    .object({ email: field.optionalEmail, fax: field.line(50), phones })
    .partial()
    .nullable()
    .optional(),
  description: field.paragraph.optional(),
  emergency_contact_number: field.line(50).optional(),
  primary_agent: field.optionalId().optional(),
  timezone: field.timezone.optional(),
  title: field.line(100).optional(),
} as const;

const shape = {
  ...details,
  activated: z.boolean().optional(),
  company_id: z.string().optional(),
  work_email: field.email.optional(),
  first_name: field.name(100).optional(),
  last_name: field.line(100).optional(),
} as const;

const bodySchema = z.object(shape);

function changeOf(body: z.output<typeof bodySchema>, by: Caller) {
  const { activated: isActivated, company_id, work_email: workEmail, first_name, last_name, ...rest } = body;
  if (company_id !== undefined && company_id !== by.companyId) throw otherCompany();
  return { workEmail, firstName: first_name, lastName: last_name, isActivated, details: rest };
}

export const contactRoutes = [
  get('/system/company/contacts', {
    summary: 'List the users of your company; 204 when none match',
    answer: { 200: contacts, 204: NO_BODY },
    isExpensive: true,
    params: { ...pageShape, first_name: word, work_email: word, search: word },
    run: async ({ kernel, by, params }) => {
      const { first_name, work_email, search } = params;
      const answer = await paged(params, (page) =>
        listContacts(kernel, by, { filter: { first_name, work_email, search }, page }),
      );
      return (answer.value as unknown[]).length === 0 ? new Outgoing(undefined, { status: 204 }) : answer;
    },
  }),
  get('/company/contacts/:contact_id', {
    summary: 'Get a user',
    answer: contact,
    refuses: [noContact()],
    run: ({ kernel, by, params }) => getContact(kernel, by, params.contact_id),
  }),
  post('/company/contacts', {
    summary: 'Add a user and invite them; owner only',
    answer: invitedContact,
    refuses: [invalid('work_email: is required'), emailTaken('a@example.com'), companyFull(10), notOwner()],
    status: 201,
    params: shape,
    run: ({ kernel, by, params }) => {
      const { workEmail = params.contacts?.email, firstName, lastName = '', ...rest } = changeOf(params, by);
      if (!workEmail) throw invalid('work_email: is required');
      if (firstName === undefined) throw invalid('first_name: is required');
      const names = { workEmail, firstName, lastName };
      return createContact(kernel, by, { ...names, isActivated: rest.isActivated ?? true, details: rest.details });
    },
  }),
  patch('/company/contacts/:contact_id', {
    summary: 'Update a user: yourself, or any user as the owner',
    answer: contact,
    refuses: [otherCompany(), notYours('user'), noContact()],
    params: shape,
    run: ({ kernel, by, params: { contact_id: id, ...body } }) => updateContact(kernel, by, id, changeOf(body, by)),
  }),
  del('/company/contacts/:contact_id', {
    summary: 'Remove a user; owner only',
    answer: contact,
    refuses: [notOwner(), noContact()],
    run: ({ kernel, by, params }) => deleteContact(kernel, by, params.contact_id),
  }),
  post('/company/contacts/:contact_id/invitation', {
    summary: 'Invite a user again; owner only',
    answer: invitedContact,
    refuses: [notOwner(), noContact()],
    run: ({ kernel, by, params }) => inviteContact(kernel, by, params.contact_id),
  }),
];

/** Needs no key: the token is the proof. */
export const invitationRoutes = [
  openRoutes.post('/invitations/accept', {
    summary: 'Accept an invitation with its token',
    answer: contact,
    refuses: [noInvitation(), invitationExpired()],
    params: { token: z.string().min(1).max(100) },
    run: ({ kernel, params, incoming }) => acceptInvitation(kernel, params.token, incoming.ip),
  }),
];

/** Routes of texting contacts, the people a company texts with. */
import { routesFor } from '../../../kernel/http/route';
import {
  createTextingContact,
  deleteTextingContact,
  updateTextingContact,
} from '../../commands/texting/change-texting-contacts';
import type { Caller } from '../../model/contacts/contact';
import * as field from '../../model/fields';
import { numberField } from '../../model/texting/phone-number';
import { getTextingContact, listTextingContacts } from '../../queries/texting/list-text-numbers';
import { paged, pageShape, word } from '../list-params';
import { optionalNumber, SAMPLE_THEIRS } from './texting-params';
import { textingContact, textingContacts } from '../../model/answers/texting';
import { contactTaken, noTextingContact } from '../../model/texting/texting-faults';

const { get, post, put, patch, del } = routesFor<Caller>();

const LIST = '/texting/contacts';
const ONE = `${LIST}/:texting_contact_id` as const;
const names = { first_name: field.line(100).optional(), last_name: field.line(100).optional() } as const;

export const textingContactRoutes = [
  get(LIST, {
    summary: 'List the texting contacts of your company',
    answer: textingContacts,
    isExpensive: true,
    params: { ...pageShape, search: word, number: optionalNumber },
    run: ({ kernel, by, params }) => {
      const filter = { search: params.search, number: params.number?.e164 };
      return paged(params, (page) => listTextingContacts(kernel.mysql, by, { filter, page }));
    },
  }),
  post(LIST, {
    summary: 'Add a texting contact by number',
    answer: textingContact,
    refuses: [contactTaken(SAMPLE_THEIRS)],
    status: 201,
    params: { ...names, number: numberField },
    run: ({ kernel, by, params: { number, first_name = '', last_name = '' } }) =>
      createTextingContact(kernel.transaction, by, { number, firstName: first_name, lastName: last_name }),
  }),
  get(ONE, {
    summary: 'Get a texting contact',
    answer: textingContact,
    refuses: [noTextingContact()],
    run: ({ kernel, by, params }) => getTextingContact(kernel.mysql, by, params.texting_contact_id),
  }),
  put(ONE, {
    summary: 'Replace the number and names of a texting contact',
    answer: textingContact,
    refuses: [contactTaken(SAMPLE_THEIRS), noTextingContact()],
    params: { ...names, number: numberField },
    run: ({ kernel, by, params: { texting_contact_id: id, number, first_name = '', last_name = '' } }) =>
      updateTextingContact(kernel.transaction, by, {
        id,
        fields: { number, firstName: first_name, lastName: last_name },
      }),
  }),
  patch(ONE, {
    summary: 'Change the number or names of a texting contact',
    answer: textingContact,
    refuses: [contactTaken(SAMPLE_THEIRS), noTextingContact()],
    params: { ...names, number: numberField.optional() },
    run: ({ kernel, by, params: { texting_contact_id: id, number, first_name, last_name } }) =>
      updateTextingContact(kernel.transaction, by, {
        id,
        fields: { number, firstName: first_name, lastName: last_name },
      }),
  }),
  del(ONE, {
    summary: 'Delete a texting contact; conversations still show the number',
    answer: textingContact,
    refuses: [noTextingContact()],
    run: ({ kernel, by, params }) => deleteTextingContact(kernel.transaction, by, params.texting_contact_id),
  }),
];

/** Portal routes of API keys, and of tickets for pages' sockets. */
import { z } from 'zod';
import { routesFor } from '../../../kernel/http/route';
import { sessionEnded } from '../../../kernel/sessions/page-faults';
import { sessionTokenOf } from '../../../kernel/web-pages/page-requests';
import { createKey, deleteKey } from '../../commands/portal/change-keys';
import { doneAnswer, madeKey, portalKeys, socketTicket } from '../../model/answers/portal';
import { KEY_RIGHTS } from '../../model/companies/key';
import type { Caller } from '../../model/contacts/contact';
import { notOwner, existing } from '../../model/faults';
import * as field from '../../model/fields';
import { PORTAL_COOKIE } from '../../model/portal/portal';
import { noKey, tooManyKeys } from '../../model/portal/portal-faults';
import { makeTicket, TICKET_MS } from '../../model/portal/socket-ticket';
import type { Telephony } from '../../parts';
import { findSession } from '../../queries/portal/find-session-caller';
import { keyObject, listKeys } from '../../queries/portal/lists';
import { done } from './wire-format';

const { get, post, del } = routesFor<Caller>();

export const keyRoutes = (telephony: Pick<Telephony, 'mysql' | 'settings'>) => [
  get('/keys', {
    summary: "List your company's API keys, newest first; owner only",
    answer: portalKeys,
    refuses: [notOwner()],
    run: ({ by }) => listKeys(telephony.mysql, by),
  }),
  post('/keys', {
    summary: 'Create an API key, which is shown only once; owner only',
    answer: madeKey,
    refuses: [notOwner(), tooManyKeys(100)],
    status: 201,
    params: {
      name: field.name(100),
      rights: z.enum(KEY_RIGHTS).default('write'),
      ends_at: field.date
        .optional()
        .meta({ type: 'string', description: 'A date or a time; empty if the key does not expire' }),
    },
    async run({ kernel, by, params: { name, rights, ends_at: endsAt = '' } }) {
      const draft = { name, rights, endsAt: endsAt === '' ? null : new Date(endsAt) };
      const { key, named } = await createKey(kernel, by, draft);
      return { ...keyObject(named), key };
    },
  }),
  del('/keys/:key_id', {
    summary: 'Delete an API key; owner only',
    answer: doneAnswer,
    refuses: [notOwner(), noKey()],
    run: ({ kernel, by, params }) => done(deleteKey(kernel.transaction, by, params.key_id)),
  }),
  post('/socket-ticket', {
    summary: 'Get a token that a page uses on a socket instead of an API key',
    answer: socketTicket,
    async run({ kernel, incoming }) {
      const token = sessionTokenOf(PORTAL_COOKIE, incoming) ?? '';
      const days = telephony.settings.sessionDays;
      const found = existing(await findSession(kernel, { token, from: incoming.ip, days }), sessionEnded);
      const endsAt = new Date(kernel.clock.now().getTime() + TICKET_MS);
      return { ticket: makeTicket(kernel.secrets, found.id, endsAt) };
    },
  }),
];

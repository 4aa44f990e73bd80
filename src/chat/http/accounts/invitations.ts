/**
 * Invitations: by mail, and by reusable links. Requesting mail with links, and using those links, without being logged
 * in.
 */
import { z } from 'zod';
import { integer, jsonField, jsonInteger, text } from '../../../kernel/http/params';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { makeReusableLink, resendInvitation, revokeInvitation } from '../../commands/accounts/invitations';
import { invitePeople } from '../../commands/accounts/invite-people';
import { DONE } from '../../model/answers/envelope';
import { invitesAnswer, inviteLinkAnswer, joinedAnswer, resentAnswer } from '../../model/answers/invitations';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { listInvitations } from '../../queries/accounts/invitations';
import type { LinkActions } from '../mail/link-actions';
import { integers } from '../wire-params';
import { disguisedEmail, emailTaken, invalidSubdomain, notAnEmail, passwordsDisabled } from '../../model/faults';
import { addressNotAllowed, aliasNotAllowed } from '../../model/organisation/organisation-faults';
import { adminsOnly, nameTooShort, notForBots, notForGuests, passwordTooWeak } from '../../model/users/user-faults';
import {
  badAddresses,
  invalidInvitedRole,
  invalidLink,
  mailIsOff,
  noAddresses,
  noStreams,
  noSuchInvitation,
  noSuchInvitedStream,
  noSuchLinkedStream,
  nobodyInvited,
  onlyAdminsInviteAdmins,
  someNotInvited,
  tooManyInvitations,
  tooManyLinks,
} from '../../model/accounts/invitation';

const { get, post, del } = routesFor<User>();

const MEMBER = 1;
const invite_as = jsonInteger.default(MEMBER);
const invite_expires_in_minutes = jsonField(z.int().nullable()).optional();

export const invitationRoutes = (chat: Storage & Pick<Chat, 'mail' | 'realms'>) => [
  post('/invites', {
    summary: 'Invite people by email; separate addresses by commas or line breaks',
    answer: DONE,
    refuses: [
      notForGuests(),
      notForBots(),
      adminsOnly(),
      mailIsOff(),
      tooManyInvitations(500),
      invalidInvitedRole(),
      onlyAdminsInviteAdmins(),
      noAddresses(),
      noStreams(),
      noSuchInvitedStream(99),
      badAddresses([['nobody', 'Invalid address.']]),
      nobodyInvited([['ada@example.com', 'Already has an account.']]),
      someNotInvited([['ada@example.com', 'Already has an account.']]),
    ],
    params: { invitee_emails: text, invite_as, stream_ids: integers, invite_expires_in_minutes },
    run: ({ by, params }) =>
      invitePeople(chat, by, {
        addresses: params.invitee_emails,
        invitedAs: params.invite_as,
        streamIds: params.stream_ids,
        bounds: { minutes: params.invite_expires_in_minutes },
      }),
  }),
  get('/invites', {
    summary: 'Get the open invitations: administrators all, members their own',
    answer: invitesAnswer,
    refuses: [notForGuests(), notForBots()],
    run: ({ by }) => listInvitations(chat, by),
  }),
  del('/invites/:invite_id', {
    summary: 'Revoke an invitation: members only their own',
    answer: DONE,
    refuses: [notForGuests(), notForBots(), noSuchInvitation()],
    params: { invite_id: integer },
    run: ({ by, params }) => revokeInvitation(chat.transaction, by, params.invite_id, 'personal'),
  }),
  post('/invites/:invite_id/resend', {
    summary: 'Resend an invitation by email: members only their own',
    answer: resentAnswer,
    refuses: [notForGuests(), notForBots(), adminsOnly(), noSuchInvitation(), mailIsOff(), tooManyInvitations(500)],
    params: { invite_id: integer },
    async run({ by, params }) {
      const invitedAt = await resendInvitation(chat, by, params.invite_id);
      return { timestamp: Math.floor(invitedAt.getTime() / 1000) };
    },
  }),
  post('/invites/multiuse', {
    summary: 'Create a reusable invitation link, for some time and for some people',
    answer: inviteLinkAnswer,
    refuses: [
      notForGuests(),
      notForBots(),
      adminsOnly(),
      mailIsOff(),
      tooManyLinks(50),
      invalidInvitedRole(),
      onlyAdminsInviteAdmins(),
      noSuchLinkedStream(99),
    ],
    params: {
      invite_as,
      stream_ids: integers.default([]),
      invite_expires_in_minutes,
      max_uses: jsonInteger.optional(),
    },
    run: async ({ by, params }) => ({
      invite_link: await makeReusableLink(chat, by, {
        invitedAs: params.invite_as,
        streamIds: params.stream_ids,
        bounds: { minutes: params.invite_expires_in_minutes, maxUses: params.max_uses },
      }),
    }),
  }),
  del('/invites/multiuse/:link_id', {
    summary: 'Revoke a reusable invitation link: members only their own',
    answer: DONE,
    refuses: [notForGuests(), notForBots(), noSuchInvitation()],
    params: { link_id: integer },
    run: ({ by, params }) => revokeInvitation(chat.transaction, by, params.link_id, 'reusable'),
  }),
];

const secretText = text.meta({ type: 'string', writeOnly: true });

export const joiningRoutes = (actions: LinkActions) => [
  openRoutes.post('/join', {
    summary: 'Accept an invitation: create an account with a name and a password',
    answer: joinedAnswer,
    refuses: [
      invalidLink(),
      invalidSubdomain(),
      addressNotAllowed('ada@example.org'),
      aliasNotAllowed(),
      passwordTooWeak(),
      passwordsDisabled(),
      nameTooShort(),
      disguisedEmail(),
      emailTaken('ada@example.com'),
    ],
    params: { token: secretText, full_name: text, password: secretText },
    run: ({ params: { token, full_name: fullName, password }, incoming }) =>
      actions.join(incoming, { token, fullName, password }),
  }),
  openRoutes.post('/join/request', {
    summary: 'Request an invitation by email through a reusable link; the response does not depend on the address',
    answer: DONE,
    refuses: [
      invalidLink(),
      invalidSubdomain(),
      mailIsOff(),
      tooManyInvitations(500),
      addressNotAllowed('ada@example.org'),
      aliasNotAllowed(),
      disguisedEmail(),
      notAnEmail(),
    ],
    params: { token: secretText, email: text },
    run: ({ params, incoming }) => actions.requestInvitation(incoming, params),
  }),
  openRoutes.post('/password_reset', {
    summary: 'Request a password reset link by email; the response does not depend on the address',
    answer: DONE,
    refuses: [invalidSubdomain(), mailIsOff(), notAnEmail(), passwordsDisabled()],
    params: { email: text },
    run: ({ params, incoming }) => actions.requestPassword(incoming, params.email),
  }),
  openRoutes.post('/password_reset/use', {
    summary: 'Set a new password with the token of a password reset link',
    answer: DONE,
    refuses: [invalidLink(), invalidSubdomain(), passwordTooWeak(), passwordsDisabled()],
    params: { token: secretText, password: secretText },
    run: ({ params, incoming }) => actions.setPassword(incoming, params),
  }),
];

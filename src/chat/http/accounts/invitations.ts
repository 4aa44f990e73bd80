/** Invitations: by mail, and by reusable links. */
import { integer, jsonInteger, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { makeReusableLink, resendInvitation, revokeInvitation } from '../../commands/accounts/invitations';
import { invitePeople } from '../../commands/accounts/invite-people';
import { DONE } from '../../model/answers/envelope';
import { invitesAnswer, inviteLinkAnswer, resentAnswer } from '../../model/answers/invitations';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { listInvitations } from '../../queries/accounts/invitations';
import { integers } from '../wire-params';
import { adminsOnly, notForBots, notForGuests } from '../../model/users/user-faults';
import {
  badAddresses,
  invalidInvitedRole,
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
} from '../../model/accounts/invitation';

const { get, post, del } = routesFor<User>();

const MEMBER = 1;
const invite_as = jsonInteger.default(MEMBER);

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
    params: { invitee_emails: text, invite_as, stream_ids: integers },
    run: ({ by, params }) =>
      invitePeople(chat, by, {
        addresses: params.invitee_emails,
        invitedAs: params.invite_as,
        streamIds: params.stream_ids,
      }),
  }),
  get('/invites', {
    summary: 'Get the open invitations; administrators only',
    answer: invitesAnswer,
    refuses: [adminsOnly()],
    run: ({ by }) => listInvitations(chat, by),
  }),
  del('/invites/:invite_id', {
    summary: 'Revoke an invitation; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchInvitation()],
    params: { invite_id: integer },
    run: ({ by, params }) => revokeInvitation(chat.transaction, by, params.invite_id, 'personal'),
  }),
  post('/invites/:invite_id/resend', {
    summary: 'Resend an invitation by email; administrators only',
    answer: resentAnswer,
    refuses: [adminsOnly(), noSuchInvitation(), mailIsOff(), tooManyInvitations(500)],
    params: { invite_id: integer },
    async run({ by, params }) {
      const invitedAt = await resendInvitation(chat, by, params.invite_id);
      return { timestamp: Math.floor(invitedAt.getTime() / 1000) };
    },
  }),
  post('/invites/multiuse', {
    summary: 'Create a reusable invitation link; administrators only',
    answer: inviteLinkAnswer,
    refuses: [adminsOnly(), mailIsOff(), invalidInvitedRole(), onlyAdminsInviteAdmins(), noSuchLinkedStream(99)],
    params: { invite_as, stream_ids: integers.default([]) },
    run: async ({ by, params }) => ({
      invite_link: await makeReusableLink(chat, by, { invitedAs: params.invite_as, streamIds: params.stream_ids }),
    }),
  }),
  del('/invites/multiuse/:link_id', {
    summary: 'Revoke a reusable invitation link; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchInvitation()],
    params: { link_id: integer },
    run: ({ by, params }) => revokeInvitation(chat.transaction, by, params.link_id, 'reusable'),
  }),
];

/** What endpoints of invitations, and of links in mail, may refuse, for the OpenAPI document. */
import type { Fault } from '../../kernel/fault';
import { emailTaken, invalidSubdomain, notADevelopmentServer, notAnEmail, passwordsDisabled } from '../model/faults';
import * as invitations from '../model/invitation';
import { addressNotAllowed, aliasNotAllowed } from '../model/organisation-faults';
import * as users from '../model/user-faults';

const INVITATIONS_PER_DAY = 500;
const limits = [invitations.mailIsOff(), invitations.tooManyInvitations(INVITATIONS_PER_DAY)];
const roles = [invitations.invalidInvitedRole(), invitations.onlyAdminsInviteAdmins()];
const revoking = [users.adminsOnly(), invitations.noSuchInvitation()];
const link = [invitations.invalidLink(), invalidSubdomain()];
const domains = [addressNotAllowed('ada@example.org'), aliasNotAllowed()];
const passwords = [users.passwordTooWeak(), passwordsDisabled()];

export const INVITATION_REFUSALS: Readonly<Record<string, readonly Fault[]>> = {
  'post /invites': [
    users.notForGuests(),
    users.notForBots(),
    users.adminsOnly(),
    ...limits,
    ...roles,
    invitations.noAddresses(),
    invitations.noStreams(),
    invitations.noSuchInvitedStream(99),
    invitations.badAddresses([['nobody', 'Invalid address.']]),
    invitations.nobodyInvited([['ada@example.com', 'Already has an account.']]),
    invitations.someNotInvited([['ada@example.com', 'Already has an account.']]),
  ],
  'get /invites': [users.adminsOnly()],
  'delete /invites/:invite_id': revoking,
  'post /invites/:invite_id/resend': [...revoking, ...limits],
  'post /invites/multiuse': [users.adminsOnly(), invitations.mailIsOff(), ...roles, invitations.noSuchLinkedStream(99)],
  'delete /invites/multiuse/:link_id': revoking,
  'post /join': [...link, ...domains, ...passwords, users.nameTooShort(), emailTaken('ada@example.com')],
  'post /join/request': [...link, ...limits, ...domains, notAnEmail()],
  'post /password_reset': [invalidSubdomain(), invitations.mailIsOff(), notAnEmail(), passwordsDisabled()],
  'post /password_reset/use': [...link, ...passwords],
  'get /:invitation_token': link,
  'get /:password_token': link,
  'post /:invitation_token': [...link, ...limits, ...domains, ...passwords, notAnEmail(), users.nameTooShort()],
  'post /:password_token': [...link, ...passwords],
  'post /': [invalidSubdomain(), invitations.mailIsOff(), notAnEmail(), passwordsDisabled()],
  'get /:unsubscribe_token': link,
  'post /:unsubscribe_token': link,
  'get /emails': [notADevelopmentServer(), invalidSubdomain()],
};

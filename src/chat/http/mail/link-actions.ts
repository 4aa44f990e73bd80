/** Actions without login, for API and pages: request mail, use its links. Attempts are counted before any lookup. */
import { addressGroup } from '../../../kernel/admission/address-group';
import { MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { Incoming } from '../../../kernel/http/incoming';
import type { AttemptLimits } from '../../../kernel/web-pages/login-limits';
import { acceptInvitation, type Acceptance, type Joined } from '../../commands/accounts/accept-invitation';
import { requestToJoin } from '../../commands/accounts/invitations';
import {
  findResetUser,
  type NewPassword,
  requestPasswordReset,
  usePasswordReset,
} from '../../commands/accounts/password-reset';
import { unsubscribe, userOfLink } from '../../commands/mail/unsubscribe';
import type { Invitation } from '../../model/accounts/invitation';
import { notAnEmail } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat, Sending } from '../../parts';
import { findInvitation } from '../../queries/accounts/invitations';
import { getRealmId } from '../../queries/organisation/find-realm';
import type { ChatSettings } from '../../settings';
import { accountKey } from '../accounts/login-limits';

type Parts = Sending & Pick<Chat, 'mail' | 'passwords' | 'settings'>;

interface LinkLimits {
  /** Limits attempts at passwords and links. */
  readonly logins: AttemptLimits;
  /** Limits mail requested without login. */
  readonly mails: AttemptLimits;
}

export interface LinkActions {
  invitation(from: Incoming, token: string): Promise<Invitation>;
  join(from: Incoming, acceptance: Omit<Acceptance, 'from'>): Promise<Joined>;
  requestInvitation(from: Incoming, request: { readonly token: string; readonly email: string }): Promise<void>;
  requestPassword(from: Incoming, email: string): Promise<void>;
  userOfPasswordLink(from: Incoming, token: string): Promise<User>;
  setPassword(from: Incoming, wanted: Omit<NewPassword, 'from'>): Promise<void>;
  userOfUnsubscribeLink(from: Incoming, token: string): Promise<User>;
  unsubscribe(from: Incoming, token: string): Promise<void>;
}

export function openLinkActions(chat: Parts, settings: ChatSettings, { logins, mails }: LinkLimits): LinkActions {
  async function countAttempt({ ip, host }: Incoming): Promise<RealmId> {
    await logins.address.count(addressGroup(ip));
    return getRealmId(chat.realms, host);
  }

  async function countMail({ ip, host }: Incoming, email: string): Promise<RealmId> {
    ensure(email.length <= MAX_EMAIL_LENGTH, notAnEmail());
    await mails.address.count(addressGroup(ip));
    const realmId = await getRealmId(chat.realms, host);
    await mails.account.count(accountKey(realmId, email));
    return realmId;
  }

  return {
    invitation: async (from, token) => findInvitation(chat, await countAttempt(from), token),
    join: async (from, acceptance) =>
      acceptInvitation(chat, settings, await countAttempt(from), { ...acceptance, from: from.ip }),
    requestInvitation: async (from, request) => requestToJoin(chat, await countMail(from, request.email), request),
    requestPassword: async (from, email) => requestPasswordReset(chat, settings, await countMail(from, email), email),
    userOfPasswordLink: async (from, token) => findResetUser(chat, await countAttempt(from), token),
    setPassword: async (from, wanted) =>
      usePasswordReset(chat, settings, await countAttempt(from), { ...wanted, from: from.ip }),
    userOfUnsubscribeLink: async (from, token) => userOfLink(chat, await countAttempt(from), token),
    unsubscribe: async (from, token) => unsubscribe(chat, await countAttempt(from), token),
  };
}

/** Actions without login, for API and pages: request mail, use its links. Attempts are counted before any lookup. */
import { addressGroup } from '../../../kernel/admission/address-group';
import { MAX_EMAIL_LENGTH } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { Incoming } from '../../../kernel/http/incoming';
import type { AttemptLimits } from '../../../kernel/web-pages/login-limits';
import { acceptInvitation, type Acceptance } from '../../commands/accounts/accept-invitation';
import { confirmEmailChange, findEmailChange } from '../../commands/accounts/change-email';
import { requestToJoin } from '../../commands/accounts/invitations';
import {
  findResetUser,
  type NewPassword,
  requestPasswordReset,
  usePasswordReset,
} from '../../commands/accounts/password-reset';
import { findUnsubscriber, unsubscribe } from '../../commands/mail/unsubscribe';
import { notAnEmail } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
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

export type LinkActions = ReturnType<typeof openLinkActions>;

export function openLinkActions(chat: Parts, settings: ChatSettings, { logins, mails }: LinkLimits) {
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
    invitation: async (from: Incoming, token: string) => findInvitation(chat, await countAttempt(from), token),
    join: async (from: Incoming, acceptance: Omit<Acceptance, 'from'>) =>
      acceptInvitation(chat, settings, await countAttempt(from), { ...acceptance, from: from.ip }),
    requestInvitation: async (from: Incoming, request: { readonly token: string; readonly email: string }) =>
      requestToJoin(chat, await countMail(from, request.email), request),
    requestPassword: async (from: Incoming, email: string) =>
      requestPasswordReset(chat, settings, await countMail(from, email), email),
    userOfPasswordLink: async (from: Incoming, token: string) => findResetUser(chat, await countAttempt(from), token),
    setPassword: async (from: Incoming, wanted: Omit<NewPassword, 'from'>) =>
      usePasswordReset(chat, settings, await countAttempt(from), { ...wanted, from: from.ip }),
    emailChange: async (from: Incoming, token: string) => findEmailChange(chat, await countAttempt(from), token),
    confirmEmail: async (from: Incoming, token: string) => confirmEmailChange(chat, await countAttempt(from), token),
    unsubscriber: async (from: Incoming, token: string) => findUnsubscriber(chat, await countAttempt(from), token),
    unsubscribe: async (from: Incoming, token: string) => unsubscribe(chat, await countAttempt(from), token),
  };
}

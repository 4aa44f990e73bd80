/** What administrators do with invitations: create reusable links, resend, revoke. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { invitationsChanged, noSuchInvitation, noSuchLinkedStream } from '../../model/accounts/invitation';
import { newToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import { linkOf } from '../../queries/accounts/invitations';
import * as invitations from '../../store/accounts/invitations';
import * as accounts from '../../store/users/accounts';
import { postMail } from '../mail/post-mail';
import { checkInvitedStreams, checkRole, ensureMailIsOn, ensureWithinLimit } from './check-invitation';

type Parts = Storage & Pick<Chat, 'mail' | 'realms'>;

export interface LinkDraft {
  readonly invitedAs: number;
  readonly streamIds: readonly number[];
}

/** Creates a reusable invitation and returns its link. */
export async function makeReusableLink(chat: Parts, by: User, draft: LinkDraft): Promise<string> {
  ensureAdmin(by);
  // Each user of the link must confirm a mail address.
  ensureMailIsOn(chat.mail);
  const { mail } = chat;
  const role = checkRole(by, draft.invitedAs);
  const streamIds = await checkInvitedStreams(chat.mysql, by, draft.streamIds, noSuchLinkedStream);
  const token = newToken(chat.secrets, 'invitation');
  const days = mail.settings.invitationDays;
  await chat.transaction(async (tx) => {
    const { id: inviterId, realmId } = by;
    await invitations.insert(tx.db, { realmId, inviterId, email: null, role, streamIds, token, days });
    await publishInvitations(tx, realmId);
  });
  return linkOf(chat, by.realmId, token.nonce);
}

export async function revokeInvitation(
  transaction: Transact,
  by: User,
  id: number,
  sort: invitations.Sort,
): Promise<void> {
  ensureAdmin(by);
  await transaction(async (tx) => {
    ensure((await invitations.lock(tx.db, by.realmId, id, sort)) !== undefined, noSuchInvitation());
    await invitations.remove(tx.db, id);
    await publishInvitations(tx, by.realmId);
  });
}

/** Mails the same link again and restarts its validity. Returns the new start. */
export async function resendInvitation(chat: Pick<Chat, 'mail' | 'transaction'>, by: User, id: number): Promise<Date> {
  ensureAdmin(by);
  ensureMailIsOn(chat.mail);
  const { mail } = chat;
  return chat.transaction(async (tx) => {
    await ensureWithinLimit(tx, chat.mail, by.realmId, 1);
    const invitation = await invitations.lock(tx.db, by.realmId, id, 'personal');
    ensure(invitation !== undefined && invitation.email !== null, noSuchInvitation());
    const invitedAt = await invitations.renew(tx.db, id, mail.settings.invitationDays);
    const about = { kind: 'invitation' as const, invitationId: id, isRequested: false };
    await postMail(tx, { realmId: by.realmId, recipient: invitation.email, about });
    return invitedAt;
  });
}

export async function publishInvitations(tx: Tx, realmId: RealmId): Promise<void> {
  tx.deliver(invitationsChanged(realmId, await accounts.adminIds(tx.db, realmId)));
}

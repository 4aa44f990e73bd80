/** Invitations besides those of invite-people.ts: reusable links, resending, revoking; and checks for all kinds. */
import { ensure, type Fault } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Transact, Tx } from '../../../kernel/mysql/transaction';
import { isPlainlySpelled } from '../../../kernel/secrets/email-key';
import {
  invalidInvitedRole,
  invalidLink,
  invitationsChanged,
  mailIsOff,
  noSuchInvitation,
  noSuchLinkedStream,
  onlyAdminsInviteAdmins,
  roleInvitedAs,
  tooManyInvitations,
} from '../../model/accounts/invitation';
import { disguisedEmail, notAnEmail } from '../../model/faults';
import { newToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import { isEmail, type Role, type User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat, ChatMail } from '../../parts';
import { findInvitation, linkOf } from '../../queries/accounts/invitations';
import { checkAddress } from '../../queries/organisation/realm-lists';
import { visibleStreams } from '../../queries/streams/list-streams';
import * as invitations from '../../store/accounts/invitations';
import * as mails from '../../store/mail/mails';
import * as realms from '../../store/organisation/realms';
import { adminIds } from '../../store/users/users';
import { postMail } from '../mail/post-mail';

type Parts = Storage & Pick<Chat, 'mail'>;

const DAY_MS = 24 * 3_600_000;

export interface LinkDraft {
  readonly invitedAs: number;
  readonly streamIds: readonly number[];
}

/** Creates a reusable invitation and returns its link, for administrators. */
export async function makeReusableLink(
  chat: Parts & Pick<Chat, 'realms'>,
  by: User,
  draft: LinkDraft,
): Promise<string> {
  ensureAdmin(by);
  // Each user of the link must confirm a mail address.
  ensureMailIsOn(chat.mail);
  const { id: inviterId, realmId } = by;
  const role = checkRole(by, draft.invitedAs);
  const streamIds = await checkInvitedStreams(chat.mysql, by, draft.streamIds, noSuchLinkedStream);
  const nonce = await chat.transaction(async (tx) => {
    const nonce = await addInvitation(tx, chat, { realmId, inviterId, email: null, role, streamIds });
    await publishInvitations(tx, realmId);
    return nonce;
  });
  return linkOf(chat, realmId, nonce);
}

/** Mails an invitation to the user of a reusable link. Only the owner of the address can create an account with it. */
export async function requestToJoin(
  chat: Parts,
  realmId: RealmId,
  { token, email }: { readonly token: string; readonly email: string },
): Promise<void> {
  ensureMailIsOn(chat.mail);
  ensure(isPlainlySpelled(email), disguisedEmail());
  ensure(isEmail(email), notAnEmail());
  const { email: invited, inviterId, role, streamIds } = await findInvitation(chat, realmId, token);
  ensure(invited === null, invalidLink());
  await checkAddress(chat.mysql, realmId, email);
  // Behaves the same for every address: only the mail reveals whether an account exists.
  await chat.transaction(async (tx) => {
    await ensureWithinLimit(tx, chat.mail, realmId, 1);
    await addInvitation(tx, chat, { realmId, inviterId, email, role, streamIds }, true);
    await publishInvitations(tx, realmId);
  });
}

/** Stores an invitation, and mails it if it is to an address. Returns the nonce of its link. */
export async function addInvitation(
  tx: Tx,
  chat: Parts,
  invited: Omit<invitations.NewInvitation, 'token' | 'days'>,
  isRequested = false,
): Promise<string> {
  const { realmId, email: recipient } = invited;
  const token = newToken(chat.secrets, 'invitation');
  const days = chat.mail.settings.invitationDays;
  const invitationId = await invitations.insert(tx.db, { ...invited, token, days });
  const about = { kind: 'invitation', invitationId, isRequested } as const;
  if (recipient !== null) await postMail(tx, { realmId, recipient, about });
  return token.nonce;
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
export async function resendInvitation(chat: Parts, by: User, id: number): Promise<Date> {
  ensureAdmin(by);
  ensureMailIsOn(chat.mail);
  return chat.transaction(async (tx) => {
    await ensureWithinLimit(tx, chat.mail, by.realmId, 1);
    const invitation = await invitations.lock(tx.db, by.realmId, id, 'personal');
    ensure(invitation !== undefined && invitation.email !== null, noSuchInvitation());
    const invitedAt = await invitations.renew(tx.db, id, chat.mail.settings.invitationDays);
    const about = { kind: 'invitation' as const, invitationId: id, isRequested: false };
    await postMail(tx, { realmId: by.realmId, recipient: invitation.email, about });
    return invitedAt;
  });
}

export async function publishInvitations(tx: Tx, realmId: RealmId): Promise<void> {
  tx.deliver(invitationsChanged(realmId, await adminIds(tx.db, realmId)));
}

export function ensureMailIsOn(mail: ChatMail): void {
  ensure(mail.mailer.mode !== 'off', mailIsOff());
}

export function checkRole(by: User, invitedAs: number): Role {
  const role = roleInvitedAs(invitedAs);
  ensure(role !== undefined, invalidInvitedRole());
  ensure(role !== 'admin' || by.role === 'admin', onlyAdminsInviteAdmins());
  return role;
}

/** The inviter must be able to see the streams. */
export async function checkInvitedStreams(
  db: Database,
  by: User,
  ids: readonly number[],
  refusal: (id: number) => Fault,
): Promise<number[]> {
  const visible = new Set<number>((await visibleStreams(db, by, ids)).map(({ id }) => id));
  const hidden = ids.find((id) => !visible.has(id));
  if (hidden !== undefined) throw refusal(hidden);
  return [...visible];
}

/** Locks the organisation, so that concurrent requests cannot exceed the limit together. */
export async function ensureWithinLimit({ db }: Tx, mail: ChatMail, realmId: RealmId, more: number): Promise<void> {
  const { invitationsPerDay } = mail.settings;
  await realms.lock(db, realmId);
  const sent = await mails.countSince(db, realmId, 'invitation', DAY_MS);
  ensure(sent + more <= invitationsPerDay, tooManyInvitations(invitationsPerDay));
}

/** Checks shared by all kinds of invitation: role, streams, and the organisation's mail limit. */
import { ensure, type Fault } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import {
  invalidInvitedRole,
  mailIsOff,
  onlyAdminsInviteAdmins,
  roleInvitedAs,
  tooManyInvitations,
} from '../../model/accounts/invitation';
import type { RealmId } from '../../model/organisation/realm';
import type { Role, User } from '../../model/users/user';
import type { ChatMail } from '../../parts';
import { visibleStreams } from '../../queries/streams/list-streams';
import * as mails from '../../store/mail/mails';
import * as realms from '../../store/organisation/realms';

const DAY_MS = 24 * 3_600_000;

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

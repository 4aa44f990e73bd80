/** Invitations besides those of invite-people.ts: reusable links, resending, revoking; and checks for all kinds. */
import { ensure, type Fault } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Transact, Tx } from '../../../kernel/mysql/transaction';
import { isPlainlySpelled } from '../../../kernel/secrets/email-key';
import {
  type Bounds,
  checkBounds,
  checkRole,
  hasUsesLeft,
  type Invitation,
  invalidLink,
  invitationsChanged,
  mailIsOff,
  noSuchInvitation,
  noSuchLinkedStream,
  tooManyInvitations,
  tooManyLinks,
} from '../../model/accounts/invitation';
import { disguisedEmail, notAnEmail } from '../../model/faults';
import { newToken } from '../../model/mail/mail';
import type { Realm, RealmId } from '../../model/organisation/realm';
import { mayInvite } from '../../model/streams/stream-policy';
import { isEmail, type User, type UserId } from '../../model/users/user';
import { againstPolicy } from '../../model/users/user-faults';
import { ensureMember } from '../../model/users/user-policy';
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
const MINUTES_A_DAY = 24 * 60;
/** Of one inviter at a time: nobody shares more, and the list stays short. */
const MAX_LINKS = 50;

export interface LinkDraft {
  readonly invitedAs: number;
  readonly streamIds: readonly number[];
  readonly bounds: Bounds;
}

/** Who may invite people may also share a link: each of its people must confirm an address. */
export async function ensureMayInvite({ mysql, clock }: Pick<Storage, 'mysql' | 'clock'>, by: User): Promise<Realm> {
  ensureMember(by);
  const realm = (await realms.byId(mysql, by.realmId))!;
  const { settings } = realm;
  ensure(mayInvite(by, settings, clock.now()), againstPolicy(settings.invite_to_realm_policy));
  return realm;
}

/** Creates a reusable invitation and returns its link. */
export async function makeReusableLink(
  chat: Parts & Pick<Chat, 'realms'>,
  by: User,
  draft: LinkDraft,
): Promise<string> {
  await ensureMayInvite(chat, by);
  checkBounds(draft.bounds);
  // Each user of the link must confirm a mail address.
  ensureMailIsOn(chat.mail);
  const { id: inviterId, realmId } = by;
  const standing = checkRole(by, draft.invitedAs);
  const streamIds = await checkInvitedStreams(chat.mysql, by, draft.streamIds, noSuchLinkedStream);
  const nonce = await chat.transaction(async (tx) => {
    await ensureFewLinks(tx, by);
    const nonce = await addInvitation(tx, chat, {
      realmId,
      inviterId,
      email: null,
      ...standing,
      streamIds,
      ...draft.bounds,
    });
    await publishInvitations(tx, realmId, inviterId);
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
  const link = await findInvitation(chat, realmId, token);
  const { inviterId, role, title, streamIds } = link;
  ensure(link.email === null && hasUsesLeft(link), invalidLink());
  await checkAddress(chat.mysql, realmId, email);
  // Behaves the same for every address: only the mail reveals whether an account exists.
  await chat.transaction(async (tx) => {
    await ensureWithinLimit(tx, chat.mail, realmId, 1);
    await addInvitation(tx, chat, { realmId, inviterId, email, role, title, streamIds, linkId: link.id });
    await publishInvitations(tx, realmId, inviterId);
  });
}

type Invited = Omit<invitations.NewInvitation, 'token' | 'minutes'>;

/** Stores an invitation, and mails it if it is to an address. Returns the nonce of its link. */
export async function addInvitation(
  tx: Tx,
  chat: Parts,
  { minutes = chat.mail.settings.invitationDays * MINUTES_A_DAY, ...invited }: Bounds & Invited,
): Promise<string> {
  const { realmId, email: recipient } = invited;
  const token = newToken(chat.secrets, 'invitation');
  const invitationId = await invitations.insert(tx.db, { ...invited, token, minutes });
  const about = { kind: 'invitation', invitationId, isRequested: invited.linkId !== undefined } as const;
  if (recipient !== null) await postMail(tx, { realmId, recipient, about });
  return token.nonce;
}

export async function revokeInvitation(
  transaction: Transact,
  by: User,
  id: number,
  sort: invitations.Sort,
): Promise<void> {
  ensureMember(by);
  await transaction(async (tx) => {
    const { inviterId } = await lockOwn(tx, by, id, sort);
    await (sort === 'reusable' ? invitations.end(tx.db, id) : invitations.remove(tx.db, id));
    await publishInvitations(tx, by.realmId, inviterId);
  });
}

/** Mails the same link again and restarts its validity. Returns the new start. */
export async function resendInvitation(chat: Parts, by: User, id: number): Promise<Date> {
  await ensureMayInvite(chat, by);
  ensureMailIsOn(chat.mail);
  return chat.transaction(async (tx) => {
    await ensureWithinLimit(tx, chat.mail, by.realmId, 1);
    const invitation = await lockOwn(tx, by, id, 'personal');
    const invitedAt = await invitations.renew(tx.db, invitation);
    const about = { kind: 'invitation' as const, invitationId: id, isRequested: false };
    await postMail(tx, { realmId: by.realmId, recipient: invitation.email!, about });
    return invitedAt;
  });
}

/** Members change their own invitations, administrators all. */
async function lockOwn(tx: Tx, by: User, id: number, sort: invitations.Sort): Promise<Invitation> {
  const found = await invitations.lock(tx.db, by.realmId, id, sort);
  ensure(found !== undefined && (by.role === 'admin' || found.inviterId === by.id), noSuchInvitation());
  return found;
}

async function ensureFewLinks({ db }: Tx, by: User): Promise<void> {
  await realms.lock(db, by.realmId);
  ensure((await invitations.countLinks(db, by.id)) < MAX_LINKS, tooManyLinks(MAX_LINKS));
}

export async function publishInvitations(tx: Tx, realmId: RealmId, inviter: UserId): Promise<void> {
  tx.deliver(invitationsChanged(realmId, await adminIds(tx.db, realmId), inviter));
}

export function ensureMailIsOn(mail: ChatMail): void {
  ensure(mail.mailer.mode !== 'off', mailIsOff());
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

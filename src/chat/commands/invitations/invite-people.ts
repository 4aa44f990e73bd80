/** Invites people by mail: everybody at once, or nobody where an address is wrong. */
import { emailKey, isSameEmail } from '../../../kernel/email-key';
import { ensure } from '../../../kernel/fault';
import { groupBy } from '../../../kernel/group';
import {
  badAddresses,
  noAddresses,
  nobodyInvited,
  noStreams,
  noSuchInvitedStream,
  readAddresses,
  someNotInvited,
  tooManyInvitations,
  type NotInvited,
} from '../../model/invitation';
import { newToken } from '../../model/mail';
import { isEmail, SYSTEM_BOT_EMAIL, type User } from '../../model/user';
import { adminsOnly } from '../../model/user-faults';
import { ensureMember } from '../../model/user-policy';
import type { Chat } from '../../parts';
import * as invitations from '../../store/invitations';
import * as people from '../../store/people';
import * as realms from '../../store/realms';
import * as streams from '../../store/streams';
import { postMail } from '../mail/post-mail';
import { tellAdmins } from './change-invitations';
import { checkInvitedStreams, checkRole, ensureMailIsOn, ensureWithinLimit } from './check-invitation';

export interface InvitationDraft {
  /** As people paste them. */
  readonly addresses: string;
  readonly invitedAs: number;
  readonly streamIds: readonly number[];
}

export async function invitePeople(chat: Chat, by: User, draft: InvitationDraft): Promise<void> {
  ensureMember(by);
  const { kernel, mail } = chat;
  const realm = (await realms.byId(kernel.mysql, by.realmId))!;
  ensure(!realm.settings.invite_by_admins_only || by.role === 'admin', adminsOnly());
  ensureMailIsOn(chat);
  const role = checkRole(by, draft.invitedAs);
  const addresses = readAddresses(draft.addresses);
  ensure(addresses.length > 0, noAddresses());
  // Before they are looked up: a request may be long.
  ensure(addresses.length <= mail.settings.invitationsPerDay, tooManyInvitations(mail.settings.invitationsPerDay));
  ensure(draft.streamIds.length > 0, noStreams());
  const streamIds = await checkInvitedStreams(chat, by, draft.streamIds, noSuchInvitedStream);
  const everybody = await announcementStream(chat, by, realm.settings.notifications_stream_id);
  const { invited, skipped } = await sortOut(chat, by, addresses);
  await kernel.transaction(async (tx) => {
    await ensureWithinLimit(tx, chat, by.realmId, invited.length);
    for (const email of invited) {
      const invitationId = await invitations.insert(tx.db, {
        realmId: by.realmId,
        inviterId: by.id,
        email,
        role,
        streamIds: [...new Set([...streamIds, ...everybody])],
        token: newToken(kernel.secrets, 'invitation'),
        days: mail.settings.invitationDays,
      });
      const about = { kind: 'invitation' as const, invitationId, isAsked: false };
      await postMail(tx, { realmId: by.realmId, recipient: email, about });
    }
    await tellAdmins(tx, by.realmId);
  });
  if (skipped.length > 0) throw someNotInvited(skipped);
}

/** Everybody joins the stream in which new streams are announced, where it is public. */
async function announcementStream({ kernel }: Chat, by: User, id: number): Promise<number[]> {
  if (id < 0) return [];
  const [stream] = await streams.byIds(kernel.mysql, by.realmId, [id]);
  return stream && !stream.isPrivate ? [stream.id] : [];
}

/** Throws where an address is wrong, or nobody is left. */
async function sortOut(
  { kernel }: Chat,
  by: User,
  addresses: readonly string[],
): Promise<{ invited: string[]; skipped: NotInvited[] }> {
  const wrong = addresses.filter((address) => !isEmail(address));
  // Of several spellings of one address, the first.
  const right = [...groupBy(addresses.filter(isEmail), emailKey).values()].map(([first]) => first!);
  const accountsOf = await people.byEmails(kernel.mysql, by.realmId, right);
  const known = new Map(accountsOf.map(({ email, isActive }) => [emailKey(email), isActive]));
  const skipped = right.flatMap((address): NotInvited[] => {
    if (isSameEmail(address, SYSTEM_BOT_EMAIL)) return [[address, 'Reserved for system bots.']];
    const isActive = known.get(emailKey(address));
    if (isActive === undefined) return [];
    return [[address, isActive ? 'Already has an account.' : 'Account has been deactivated.']];
  });
  if (wrong.length > 0) {
    throw badAddresses([...wrong.map((address): NotInvited => [address, 'Invalid address.']), ...skipped]);
  }
  if (skipped.length === right.length) throw nobodyInvited(skipped);
  const notInvited = new Set(skipped.map(([address]) => address));
  return { invited: right.filter((address) => !notInvited.has(address)), skipped };
}

/** Invites people by mail: all of them, or nobody if an address is wrong. */
import type { Database } from '../../../kernel/mysql/pool';
import { emailKey, isPlainlySpelled, isSameEmail } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import { groupBy } from '../../../kernel/group';
import type { Storage } from '../../../kernel/kernel';
import {
  badAddresses,
  type Bounds,
  checkBounds,
  checkRole,
  noAddresses,
  nobodyInvited,
  noStreams,
  noSuchInvitedStream,
  readAddresses,
  someNotInvited,
  tooManyInvitations,
  type NotInvited,
} from '../../model/accounts/invitation';
import { aliasNotAllowed } from '../../model/organisation/organisation-faults';
import type { Realm } from '../../model/organisation/realm';
import { isEmail, SYSTEM_BOT_EMAIL, type User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { judgeAddresses, type AddressVerdict } from '../../queries/organisation/realm-lists';
import * as streams from '../../store/streams/streams';
import * as people from '../../store/users/people';
import {
  addInvitation,
  publishInvitations,
  checkInvitedStreams,
  ensureMailIsOn,
  ensureMayInvite,
  ensureWithinLimit,
} from './invitations';

type Parts = Storage & Pick<Chat, 'mail'>;

export interface InvitationDraft {
  /** As pasted, in free form. */
  readonly addresses: string;
  readonly invitedAs: number;
  readonly streamIds: readonly number[];
  readonly bounds: Bounds;
}

export async function invitePeople(chat: Parts, by: User, draft: InvitationDraft): Promise<void> {
  const { mail } = chat;
  const { id: inviterId, realmId } = by;
  const realm = await ensureMayInvite(chat, by);
  checkBounds(draft.bounds);
  ensureMailIsOn(mail);
  const standing = checkRole(by, draft.invitedAs);
  const addresses = readAddresses(draft.addresses);
  ensure(addresses.length > 0, noAddresses());
  // Checked before any lookup, because the list may be long.
  ensure(addresses.length <= mail.settings.invitationsPerDay, tooManyInvitations(mail.settings.invitationsPerDay));
  ensure(draft.streamIds.length > 0, noStreams());
  const chosen = await checkInvitedStreams(chat.mysql, by, draft.streamIds, noSuchInvitedStream);
  const everybody = await announcementStream(chat.mysql, by, realm.settings.notifications_stream_id);
  const streamIds = [...new Set([...chosen, ...everybody])];
  const { invited, skipped } = await sortOut(chat.mysql, realm, addresses);
  await chat.transaction(async (tx) => {
    await ensureWithinLimit(tx, mail, realmId, invited.length);
    for (const email of invited) {
      await addInvitation(tx, chat, { realmId, inviterId, email, ...standing, streamIds, ...draft.bounds });
    }
    await publishInvitations(tx, realmId, inviterId);
  });
  if (skipped.length > 0) throw someNotInvited(skipped);
}

/** Invited users also join the announcement stream for new streams, if it is public. */
async function announcementStream(db: Database, by: User, id: number): Promise<number[]> {
  if (id < 0) return [];
  const [stream] = await streams.byIds(db, by.realmId, [id]);
  return stream && !stream.isPrivate && !stream.isArchived ? [stream.id] : [];
}

/** Throws if an address is wrong, or if no address is left to invite. */
async function sortOut(
  db: Database,
  realm: Realm,
  addresses: readonly string[],
): Promise<{ invited: string[]; skipped: NotInvited[] }> {
  const judge = await judgeAddresses(db, realm);
  const mistakeIn = (address: string) => {
    if (!isPlainlySpelled(address)) return 'Has characters that are invisible or look like others.';
    return isEmail(address) ? REFUSED[judge(address)] : 'Invalid address.';
  };
  const wrong = addresses.flatMap((address): NotInvited[] => {
    const mistake = mistakeIn(address);
    return mistake === undefined ? [] : [[address, mistake]];
  });
  const refused = new Set(wrong.map(([address]) => address));
  // If an address is spelt in several ways, keep the first.
  const plain = addresses.filter((each) => !refused.has(each));
  const right = [...groupBy(plain, emailKey).values()].map(([first]) => first!);
  const skipped = await findKnown(db, realm, right);
  if (wrong.length > 0) throw badAddresses([...wrong, ...skipped]);
  if (skipped.length === right.length) throw nobodyInvited(skipped);
  const notInvited = new Set(skipped.map(([address]) => address));
  return { invited: right.filter((address) => !notInvited.has(address)), skipped };
}

/** Zulip's wording. */
const REFUSED: Readonly<Record<AddressVerdict, string | undefined>> = {
  admitted: undefined,
  alias: aliasNotAllowed().message,
  foreign: 'Outside your domain.',
};

/** Addresses that are skipped, because they or what looks like them already have an account, or are reserved. */
async function findKnown(db: Database, { id }: Realm, addresses: readonly string[]): Promise<NotInvited[]> {
  const accounts = await people.withEmailKeys(db, id, addresses);
  const known = new Map(accounts.map(({ email, isActive }) => [emailKey(email), isActive]));
  return addresses.flatMap((address): NotInvited[] => {
    if (isSameEmail(address, SYSTEM_BOT_EMAIL)) return [[address, 'Reserved for system bots.']];
    const isActive = known.get(emailKey(address));
    if (isActive === undefined) return [];
    return [[address, isActive ? 'Already has an account.' : 'Account has been deactivated.']];
  });
}

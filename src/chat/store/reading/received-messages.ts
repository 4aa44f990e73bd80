/** Summaries of what a user has received. They read one index entry per conversation, however long it is. */
import { idsOf } from '../../../kernel/group';
import { readOf, type Read, type RunRead } from '../../../kernel/mysql/read-packet';
import { FLAGS } from '../../model/messages/message';
import type { User, UserId } from '../../model/users/user';
import { grouped } from '../rows';

// Forced, because the optimizer prefers the primary key and hopes for an early hit.
const BY_RECIPIENT = 'chat_messages_realm_id_recipient_id_id_index';

const newest = (range: string) =>
  `(SELECT m.id FROM chat_messages m FORCE INDEX (${BY_RECIPIENT}) WHERE m.realm_id = ? ` +
  `AND m.recipient_id = x.recipient_id AND m.id ${range} ORDER BY m.id DESC LIMIT 1) AS last`;

type Receiver = Pick<User, 'id' | 'realmId'>;

/** The newest message received; −1 if there is none. */
export const lastRead = ({ id, realmId }: Receiver): Read<number> =>
  readOf(
    'SELECT MAX(t.last) AS last FROM (' +
      `SELECT ${newest('>= x.from_id')} FROM chat_subscriptions x WHERE x.user_id = ? AND x.is_active UNION ALL ` +
      `SELECT ${newest('BETWEEN x.from_id AND x.to_id')} FROM chat_receptions x WHERE x.user_id = ?) t`,
    [realmId, id, realmId, id],
    ([row]: readonly { last: number | null }[]) => row?.last ?? -1,
  );

/** Zulip's limit. Beyond it, only the newest are returned. */
const MAX_STARRED = 10_000;

export const starredRead = (userId: UserId): Read<number[]> =>
  readOf(
    'SELECT message_id FROM chat_flags WHERE user_id = ? AND flag = ? ORDER BY message_id DESC LIMIT ?',
    [userId, FLAGS.starred, MAX_STARRED],
    (rows: readonly { message_id: number }[]) => rows.map(({ message_id: id }) => id).reverse(),
  );

/** More than any user scrolls through. */
const MAX_CONVERSATIONS = 1000;

interface Row {
  id: number;
  members: string;
  last: number;
}

export interface RecentConversation {
  readonly max_message_id: number;
  /** The other members, sorted; empty for a conversation with oneself. */
  readonly user_ids: readonly number[];
}

/** The user's private conversations, the most recent first. */
export async function conversations(read: RunRead, { id, realmId }: Receiver): Promise<RecentConversation[]> {
  const rows = await read(
    readOf(
      `SELECT r.id, r.members, (SELECT m.id FROM chat_messages m FORCE INDEX (${BY_RECIPIENT}) WHERE m.realm_id = ? ` +
        'AND m.recipient_id = r.id ORDER BY m.id DESC LIMIT 1) AS last ' +
        'FROM chat_subscriptions s JOIN chat_recipients r ON r.id = s.recipient_id ' +
        'WHERE s.user_id = ? AND s.is_active AND r.members IS NOT NULL HAVING last IS NOT NULL ORDER BY last DESC LIMIT ?',
      [realmId, id, MAX_CONVERSATIONS],
      (found: readonly Row[]) => found,
    ),
  );
  const hashed = idsOf(rows.filter(isHashed));
  const listed = hashed.length === 0 ? new Map<number, number[]>() : await read(membersRead(hashed));
  return rows.map((row) => ({
    max_message_id: row.last,
    user_ids: (listed.get(row.id) ?? row.members.split(',').map(Number)).filter((each) => each !== id),
  }));
}

/** A long member list is stored only as its hash. */
const isHashed = ({ members }: Row): boolean => members.startsWith('#');

/** The members of private conversations, in order. There must be at least one id. */
export const membersRead = (ids: readonly number[]): Read<Map<number, number[]>> =>
  readOf(
    'SELECT recipient_id, user_id FROM chat_subscriptions WHERE recipient_id IN (?) ORDER BY recipient_id, user_id',
    [ids],
    (rows: readonly { recipient_id: number; user_id: UserId }[]) =>
      grouped(rows.map((row) => [row.recipient_id, row.user_id])),
  );

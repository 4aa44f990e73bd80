/** Summaries of what a user has received. They read one index entry per conversation, however long it is. */
import type { Knex } from 'knex';
import { FLAGS } from '../../model/messages/message';
import type { User, UserId } from '../../model/users/user';
import { grouped } from '../rows';

// Forced, because the optimizer prefers the primary key and hopes for an early hit.
const BY_RECIPIENT = 'chat_messages_realm_id_recipient_id_id_index';

const newest = (range: string) =>
  `(SELECT m.id FROM chat_messages m FORCE INDEX (${BY_RECIPIENT}) WHERE m.realm_id = ? ` +
  `AND m.recipient_id = x.recipient_id AND m.id ${range} ORDER BY m.id DESC LIMIT 1) AS last`;

/** The newest message received; −1 if there is none. */
export async function last(db: Knex, { id, realmId }: Pick<User, 'id' | 'realmId'>): Promise<number> {
  const [[row]] = (await db.raw(
    'SELECT MAX(t.last) AS last FROM (' +
      `SELECT ${newest('>= x.from_id')} FROM chat_subscriptions x WHERE x.user_id = ? AND x.is_active UNION ALL ` +
      `SELECT ${newest('BETWEEN x.from_id AND x.to_id')} FROM chat_receptions x WHERE x.user_id = ?) t`,
    [realmId, id, realmId, id],
  )) as [[{ last: number | null }]];
  return row.last ?? -1;
}

/** Zulip's limit. Beyond it, only the newest are returned. */
const MAX_STARRED = 10_000;

export async function starred(db: Knex, userId: UserId): Promise<number[]> {
  const ids = (await db('chat_flags')
    .where({ user_id: userId, flag: FLAGS.starred })
    .orderBy('message_id', 'desc')
    .limit(MAX_STARRED)
    .pluck('message_id')) as number[];
  return ids.reverse();
}

/** More than any user scrolls through. */
const MAX_CONVERSATIONS = 1000;

interface Row {
  id: number;
  members: string;
  last: number;
}

interface RecentConversation {
  readonly max_message_id: number;
  /** The other members, sorted; empty for a conversation with oneself. */
  readonly user_ids: readonly number[];
}

/** The user's private conversations, the most recent first. */
export async function conversations(
  db: Knex,
  { id, realmId }: Pick<User, 'id' | 'realmId'>,
): Promise<RecentConversation[]> {
  const [rows] = (await db.raw(
    `SELECT r.id, r.members, (SELECT m.id FROM chat_messages m FORCE INDEX (${BY_RECIPIENT}) WHERE m.realm_id = ? ` +
      'AND m.recipient_id = r.id ORDER BY m.id DESC LIMIT 1) AS last ' +
      'FROM chat_subscriptions s JOIN chat_recipients r ON r.id = s.recipient_id ' +
      'WHERE s.user_id = ? AND s.is_active AND r.members IS NOT NULL HAVING last IS NOT NULL ORDER BY last DESC LIMIT ?',
    [realmId, id, MAX_CONVERSATIONS],
  )) as [Row[]];
  const listed = await membersOf(db, rows.filter(isHashed));
  return rows.map((row) => ({
    max_message_id: row.last,
    user_ids: (listed.get(row.id) ?? row.members.split(',').map(Number)).filter((each) => each !== id),
  }));
}

/** A long member list is stored only as its hash. */
const isHashed = ({ members }: Row): boolean => members.startsWith('#');

async function membersOf(db: Knex, rows: readonly Row[]): Promise<Map<number, number[]>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const members = (await db('chat_subscriptions')
    .whereIn('recipient_id', ids)
    .orderBy('user_id')
    .select('recipient_id', 'user_id')) as { recipient_id: number; user_id: UserId }[];
  return grouped(members.map((row) => [row.recipient_id, row.user_id]));
}

/** A user's private conversations, the most recent first. */
import type { Knex } from 'knex';
import type { User, UserId } from '../../model/users/user';

const BY_RECIPIENT = 'chat_messages_realm_id_recipient_id_id_index';
/** More than any user scrolls through. */
const MAX = 1000;

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

export async function recent(db: Knex, { id, realmId }: Pick<User, 'id' | 'realmId'>): Promise<RecentConversation[]> {
  const [rows] = (await db.raw(
    `SELECT r.id, r.members, (SELECT m.id FROM chat_messages m FORCE INDEX (${BY_RECIPIENT}) WHERE m.realm_id = ? ` +
      'AND m.recipient_id = r.id ORDER BY m.id DESC LIMIT 1) AS last ' +
      'FROM chat_subscriptions s JOIN chat_recipients r ON r.id = s.recipient_id ' +
      'WHERE s.user_id = ? AND s.is_active AND r.members IS NOT NULL HAVING last IS NOT NULL ORDER BY last DESC LIMIT ?',
    [realmId, id, MAX],
  )) as [Row[]];
  const listed = await membersOf(
    db,
    rows.filter(({ members }) => isHashed(members)),
  );
  return rows.map((row) => ({
    max_message_id: row.last,
    user_ids: (listed.get(row.id) ?? row.members.split(',').map(Number)).filter((each) => each !== id),
  }));
}

/** A long member list is stored only as its hash. */
const isHashed = (members: string): boolean => members.startsWith('#');

async function membersOf(db: Knex, rows: readonly Row[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>(rows.map(({ id }) => [id, []]));
  if (rows.length === 0) return found;
  const members = (await db('chat_subscriptions')
    .whereIn('recipient_id', [...found.keys()])
    .orderBy('user_id')
    .select('recipient_id', 'user_id')) as { recipient_id: number; user_id: UserId }[];
  for (const { recipient_id: recipientId, user_id: userId } of members) found.get(recipientId)!.push(userId);
  return found;
}

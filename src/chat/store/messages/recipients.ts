/** Rows of chat_recipients: one per set of users with a private conversation, with a subscription for each member. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { readColumn } from '../rows';

/** Long enough that the key of every ordinary conversation is human-readable. */
const MAX_PLAIN_LENGTH = 150;

export function membersKey(members: readonly UserId[]): string {
  const plain = [...members].sort((a, b) => a - b).join(',');
  return plain.length <= MAX_PLAIN_LENGTH ? plain : `#${createHash('sha256').update(plain).digest('hex')}`;
}

/** The same key in SQL, of the ids that a statement selects. It has the column's collation, to use its index. */
export const membersKeySql = ({ sql, bindings }: Statement): Statement => ({
  sql:
    `(SELECT CONVERT(IF(LENGTH(p.plain) <= ${MAX_PLAIN_LENGTH}, p.plain, CONCAT('#', SHA2(p.plain, 256))) USING ascii) ` +
    `COLLATE ascii_bin FROM (SELECT GROUP_CONCAT(DISTINCT q.id ORDER BY q.id SEPARATOR ',') AS plain FROM (${sql}) q) p)`,
  bindings,
});

export const byMembers = (db: Knex, realmId: RealmId, members: readonly UserId[]): Promise<number | undefined> =>
  readColumn(db('chat_recipients').where({ realm_id: realmId, members: membersKey(members) }), 'id');

/** The people of a private conversation. */
export const membersOf = (db: Knex, recipientId: number): Promise<UserId[]> =>
  db('chat_subscriptions').where({ recipient_id: recipientId }).pluck('user_id');

/** Creates a conversation. Its members receive all messages from the first one on. */
export async function insertConversation(db: Knex, realmId: RealmId, members: readonly UserId[]): Promise<number> {
  const [id] = await db('chat_recipients').insert({ realm_id: realmId, members: membersKey(members) });
  await db('chat_subscriptions').insert(
    members.map((userId) => ({ recipient_id: id, user_id: userId, from_id: 1, created_at: db.raw('NOW(3)') })),
  );
  return id!;
}

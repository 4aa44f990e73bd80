/** Rows of chat_recipients: one for each set of people who talk privately, with a subscription for each of them. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

/** Long enough for every ordinary conversation to be read in the table itself. */
const LONGEST_PLAIN = 150;

export function membersKey(members: readonly UserId[]): string {
  const plain = [...members].sort((a, b) => a - b).join(',');
  return plain.length <= LONGEST_PLAIN ? plain : `#${createHash('sha256').update(plain).digest('hex')}`;
}

/** The same key, of the ids that a statement selects. In the collation of the column, so that its index is used. */
export const membersKeySql = ({ sql, bindings }: Statement): Statement => ({
  sql:
    `(SELECT CONVERT(IF(LENGTH(p.plain) <= ${LONGEST_PLAIN}, p.plain, CONCAT('#', SHA2(p.plain, 256))) USING ascii) ` +
    `COLLATE ascii_bin FROM (SELECT GROUP_CONCAT(DISTINCT q.id ORDER BY q.id SEPARATOR ',') AS plain FROM (${sql}) q) p)`,
  bindings,
});

export async function byMembers(db: Knex, realmId: RealmId, members: readonly UserId[]): Promise<number | undefined> {
  const row = (await db('chat_recipients')
    .where({ realm_id: realmId, members: membersKey(members) })
    .first('id')) as { id: number } | undefined;
  return row?.id;
}

/** Begins a conversation. Its members receive everything in it, from the first message on. */
export async function insertConversation(db: Knex, realmId: RealmId, members: readonly UserId[]): Promise<number> {
  const [id] = await db('chat_recipients').insert({ realm_id: realmId, members: membersKey(members) });
  await db('chat_subscriptions').insert(
    members.map((userId) => ({ recipient_id: id, user_id: userId, from_id: 1, created_at: db.raw('NOW(3)') })),
  );
  return id!;
}

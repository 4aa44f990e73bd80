/** Summaries of what a user has received. They read one index entry per conversation, however long it is. */
import type { Knex } from 'knex';
import { FLAGS } from '../../model/messages/message';
import type { User, UserId } from '../../model/users/user';

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

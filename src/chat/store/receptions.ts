/** Rows of chat_receptions: what was received in streams that were left, and what becomes of a subscription then. */
import type { Knex } from 'knex';
import { realmTenant, type RealmId } from '../model/realm';
import type { StreamId } from '../model/stream';
import type { UserId } from '../model/user';

/**
 * The organisation's last message. Whoever has locked a stream for a change of its audience knows that every message to
 * it up to here is committed, and that none will be numbered up to here any more.
 */
export async function lastMessageId(db: Knex, realmId: RealmId): Promise<number> {
  const row = (await db('kernel_counters')
    .where({ tenant: realmTenant(realmId) })
    .first('record_number')) as { record_number: number } | undefined;
  return row?.record_number ?? 0;
}

export interface Leaving {
  readonly streamIds: readonly StreamId[];
  readonly userIds: readonly UserId[];
  readonly lastMessageId: number;
}

/** Ends every subscription between them. All that was received stays received, and counts as read. */
export async function close(db: Knex, { streamIds, userIds, lastMessageId: last }: Leaving): Promise<void> {
  const between = <Q extends Knex.QueryBuilder>(query: Q) =>
    query.whereIn('recipient_id', streamIds).whereIn('user_id', userIds);
  const ending = db('chat_subscriptions').where({ is_active: true });
  await db('chat_receptions').insert(
    between(ending.clone())
      .where('from_id', '<=', last)
      .select('user_id', 'recipient_id', 'from_id', db.raw('? AS to_id', [last])),
  );
  await between(ending.clone()).update({ is_active: false, read_id: last });
  await between(db('chat_topic_reads')).delete();
  await between(db('chat_read_exceptions')).delete();
}

/** What a user received in a stream before they last left it, as ranges of ids. */
export async function ranges(db: Knex, userId: UserId, streamId: StreamId): Promise<[number, number][]> {
  const rows = (await db('chat_receptions')
    .where({ user_id: userId, recipient_id: streamId })
    .orderBy('from_id')
    .select('from_id', 'to_id')) as { from_id: number; to_id: number }[];
  return rows.map(({ from_id: from, to_id: to }) => [from, to]);
}

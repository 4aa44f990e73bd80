/** Rows of chat_receptions: the ranges received in streams that a user has left. Also ends subscriptions. */
import type { Knex } from 'knex';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import type { UserId } from '../../model/users/user';
import { grouped, readColumn } from '../rows';

/**
 * The organisation's last message id. Under the audience lock of a stream, every message to it up to this id is
 * committed, and no later one can get an id up to here.
 */
export const lastMessageId = async (db: Knex, realmId: RealmId): Promise<number> =>
  (await readColumn(db('kernel_counters').where({ tenant: realmTenant(realmId) }), 'record_number')) ?? 0;

export interface Leaving {
  readonly streamIds: readonly StreamId[];
  readonly userIds: readonly UserId[];
  readonly lastMessageId: number;
}

/** A user's unread messages in a stream: possibly any after `from`, and certainly `ids`. */
export interface Unread {
  readonly userId: UserId;
  readonly streamId: StreamId;
  readonly from: number;
  readonly ids: readonly number[];
}

/** What these users have not read in these streams, as far as cursors tell without reading messages. */
export async function unread(db: Knex, { streamIds, userIds }: Leaving): Promise<Unread[]> {
  const rows = (await db('chat_subscriptions as s')
    .join('chat_users as u', 'u.id', 's.user_id')
    .whereIn('s.recipient_id', streamIds)
    .whereIn('s.user_id', userIds)
    .where('s.is_active', true)
    .select('s.recipient_id', 's.user_id', db.raw('GREATEST(s.read_id, u.read_id) AS cursor_id'))) as {
    recipient_id: StreamId;
    user_id: UserId;
    cursor_id: number;
  }[];
  const exceptions = (await db('chat_read_exceptions')
    .whereIn('recipient_id', streamIds)
    .whereIn('user_id', userIds)
    .where({ is_read: false })
    .select('recipient_id', 'user_id', 'message_id')) as {
    recipient_id: StreamId;
    user_id: UserId;
    message_id: number;
  }[];
  const single = grouped(exceptions.map((row) => [`${row.recipient_id}/${row.user_id}`, row.message_id]));
  return rows.map((row) => ({
    userId: row.user_id,
    streamId: row.recipient_id,
    from: row.cursor_id,
    ids: single.get(`${row.recipient_id}/${row.user_id}`) ?? [],
  }));
}

/** All messages of these streams up to the last one count as read by these subscribers. */
export async function markRead(db: Knex, { streamIds, userIds, lastMessageId: last }: Leaving): Promise<void> {
  const between = <Q extends Knex.QueryBuilder>(query: Q) =>
    query.whereIn('recipient_id', streamIds).whereIn('user_id', userIds);
  await between(db('chat_subscriptions')).where({ is_active: true }).update({ read_id: last });
  await between(db('chat_topic_reads')).delete();
  await between(db('chat_read_exceptions')).delete();
}

/** Ends these users' subscriptions to these streams. Received messages stay received, and count as read. */
export async function close(db: Knex, { streamIds, userIds, lastMessageId: last }: Leaving): Promise<void> {
  const between = <Q extends Knex.QueryBuilder>(query: Q) =>
    query.whereIn('recipient_id', streamIds).whereIn('user_id', userIds);
  const ending = db('chat_subscriptions').where({ is_active: true });
  await db('chat_receptions').insert(
    between(ending.clone())
      .where('from_id', '<=', last)
      .select('user_id', 'recipient_id', 'from_id', db.raw('? AS to_id', [last])),
  );
  await markRead(db, { streamIds, userIds, lastMessageId: last });
  await between(ending.clone()).update({ is_active: false });
}

/** The ranges of ids that a user received in a stream before they last left it. */
export async function ranges(db: Knex, userId: UserId, streamId: StreamId): Promise<[number, number][]> {
  const rows = (await db('chat_receptions')
    .where({ user_id: userId, recipient_id: streamId })
    .orderBy('from_id')
    .select('from_id', 'to_id')) as { from_id: number; to_id: number }[];
  return rows.map(({ from_id: from, to_id: to }) => [from, to]);
}

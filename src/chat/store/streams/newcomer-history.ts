/** Which messages of streams a new account receives that were sent before it: some of the newest, the last ones unread. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';

/** Zulip's numbers: messages of the last week, at most a thousand, of which the last twenty are unread. */
const MAX_DAYS = 7;
const MAX_MESSAGES = 1000;
const UNREAD_MESSAGES = 20;

/** The cursors of a subscription: the first message that is received, and the last that counts as read. */
export interface Past {
  readonly fromId: number;
  readonly readId: number;
}

/** The same range for all of these streams; empty if nothing was sent to them lately. Lock the streams first. */
export async function pastFor(
  db: Knex,
  realmId: RealmId,
  streamIds: readonly StreamId[],
): Promise<ReadonlyMap<StreamId, Past>> {
  const newest = await newestIds(db, realmId, streamIds);
  if (newest.length === 0) return new Map();
  const recent = db('chat_messages').where({ realm_id: realmId }).whereIn('id', newest);
  const ids = (await recent
    .where('sent_at', '>', db.raw('UNIX_TIMESTAMP(NOW() - INTERVAL ? DAY)', [MAX_DAYS]))
    .orderBy('id', 'desc')
    .pluck('id')) as number[];
  if (ids.length === 0) return new Map();
  const fromId = ids.at(-1)!;
  const past = { fromId, readId: ids[UNREAD_MESSAGES] ?? fromId - 1 };
  return new Map(streamIds.map((id) => [id, past]));
}

/** Reads index entries only, at most that many of each stream. */
async function newestIds(db: Knex, realmId: RealmId, streamIds: readonly StreamId[]): Promise<number[]> {
  if (streamIds.length === 0) return [];
  const ofStream =
    '(SELECT id FROM chat_messages FORCE INDEX (chat_messages_realm_id_recipient_id_id_index) ' +
    'WHERE realm_id = ? AND recipient_id = ? ORDER BY id DESC LIMIT ?)';
  const [rows] = (await db.raw(`${streamIds.map(() => ofStream).join(' UNION ALL ')} ORDER BY id DESC LIMIT ?`, [
    ...streamIds.flatMap((id) => [realmId, id, MAX_MESSAGES]),
    MAX_MESSAGES,
  ])) as [{ id: number }[]];
  return rows.map(({ id }) => id);
}

/** Moves the cursors of a user's read state within transactions. Plain read marks use commit packets instead. */
import type { Knex } from 'knex';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { MessageRef } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';

export interface Reader {
  readonly id: UserId;
  readonly realmId: RealmId;
}

/** The effect of a mark on a conversation: the messages in this range, and these ids, are read now. */
export interface Marked {
  readonly from: number;
  readonly to: number;
  readonly ids: readonly number[];
}

/** Serialises changes of one user's read state. Everything below relies on it. */
export const LOCK = 'SELECT read_id FROM chat_users WHERE id = ? FOR UPDATE';
/** Other readers may share the lock; only moves of messages wait for it (see keepReadState). */
export const HOLD_TOPIC = 'SELECT id FROM chat_topics WHERE id = ? LOCK IN SHARE MODE';
/** The committed counter is exact: no message up to it is still being written. */
export const HEAD_NUMBER = 'SELECT COALESCE(MAX(record_number), 0) FROM kernel_counters WHERE tenant = ?';

type Cursors = readonly { read_id: number }[];
type Exceptions = readonly { message_id: number }[];
const idsIn = (rows: Exceptions): number[] => rows.map(({ message_id: id }) => id);

/** Returns undefined if the user never took part in the conversation. */
export async function markPlace(db: Knex, { id, realmId }: Reader, recipientId: number): Promise<Marked | undefined> {
  const [replies] = (await db.raw(
    [
      LOCK,
      `SET @head = (${HEAD_NUMBER})`,
      'SELECT read_id FROM chat_subscriptions WHERE recipient_id = ? AND user_id = ?',
      'SELECT message_id FROM chat_read_exceptions WHERE user_id = ? AND is_read = 0 AND recipient_id = ?',
      'UPDATE chat_subscriptions SET read_id = GREATEST(read_id, @head) WHERE recipient_id = ? AND user_id = ?',
      'DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 0 AND recipient_id = ?',
      'SELECT @head AS head',
    ].join('; '),
    [id, realmTenant(realmId), recipientId, id, id, recipientId, recipientId, id, id, recipientId],
  )) as [readonly [Cursors, unknown, Cursors, Exceptions, ...unknown[]]];
  const [[user], , [place], exceptions] = replies;
  if (!place) return undefined;
  return { from: Math.max(user!.read_id, place.read_id), to: headIn(replies), ids: idsIn(exceptions) };
}

const headIn = (replies: readonly unknown[]): number => (replies.at(-1) as [{ head: number }])[0].head;

export async function lock(db: Knex, userId: UserId): Promise<void> {
  await db.raw(LOCK, [userId]);
}

export async function dropExceptions(db: Knex, userId: UserId, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db('chat_read_exceptions').where({ user_id: userId }).whereIn('message_id', ids).delete();
}

const MOST_ROWS = 2000;

export async function insertExceptions(
  db: Knex,
  userId: UserId,
  refs: readonly Pick<MessageRef, 'id' | 'recipientId'>[],
  isRead: boolean,
): Promise<void> {
  for (let start = 0; start < refs.length; start += MOST_ROWS) {
    await db('chat_read_exceptions')
      .insert(
        refs.slice(start, start + MOST_ROWS).map(({ id, recipientId }) => ({
          user_id: userId,
          message_id: id,
          recipient_id: recipientId,
          is_read: isRead,
        })),
      )
      .onConflict()
      .merge(['is_read']);
  }
}

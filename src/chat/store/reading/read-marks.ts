/** Changes the exceptions of a user's read state within transactions. Plain read marks use commit packets instead. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { MessageRef } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import { insertMissing } from '../rows';

export interface Reader {
  readonly id: UserId;
  readonly realmId: RealmId;
}

/** Serialises changes of one user's read state. Everything below relies on it. */
export const LOCK = 'SELECT read_id FROM chat_users WHERE id = ? FOR UPDATE';
/** Other readers may share the lock; only moves of messages wait for it (see keepReadState). */
export const HOLD_TOPIC = 'SELECT id FROM chat_topics WHERE id = ? LOCK IN SHARE MODE';
/** The committed counter is exact: no message up to it is still being written. */
export const HEAD_NUMBER = 'SELECT COALESCE(MAX(record_number), 0) FROM kernel_counters WHERE tenant = ?';

export async function lock(db: Knex, userId: UserId): Promise<void> {
  await db.raw(LOCK, [userId]);
}

export async function dropExceptions(db: Knex, userId: UserId, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db('chat_read_exceptions').where({ user_id: userId }).whereIn('message_id', ids).delete();
}

const MAX_ROWS = 2000;

export async function insertExceptions(
  db: Knex,
  userId: UserId,
  refs: readonly Pick<MessageRef, 'id' | 'recipientId'>[],
  isRead: boolean,
): Promise<void> {
  for (let start = 0; start < refs.length; start += MAX_ROWS) {
    await db('chat_read_exceptions')
      .insert(
        refs.slice(start, start + MAX_ROWS).map(({ id, recipientId }) => ({
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

/** Sets or clears a flag other than read: a row of chat_flags means that it is set. */
export async function changeFlag(
  db: Knex,
  userId: UserId,
  flag: number,
  { ids, isSet }: { readonly ids: readonly number[]; readonly isSet: boolean },
): Promise<void> {
  if (isSet) {
    const rows = ids.map((id) => ({ user_id: userId, flag, message_id: id }));
    return insertMissing(db, 'chat_flags', rows);
  }
  for (let start = 0; start < ids.length; start += MAX_ROWS) {
    const some = ids.slice(start, start + MAX_ROWS);
    await db('chat_flags').where({ user_id: userId, flag }).whereIn('message_id', some).delete();
  }
}

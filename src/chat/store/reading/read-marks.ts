/** Changes the exceptions of a user's read state within transactions. Plain read marks use commit packets instead. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { mapRead, readOf, together, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { Marks, MessageRef, ReadState } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import { refsRead } from './message-refs';
import { stateRead, withinPlaces } from './read-state';

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

const MAX_ROWS = 2000;

/** Statements that each change a limited number of rows. */
function inParts<T>(values: readonly T[], statementOf: (some: readonly T[]) => Statement): Statement[] {
  const parts: Statement[] = [];
  for (let start = 0; start < values.length; start += MAX_ROWS) {
    parts.push(statementOf(values.slice(start, start + MAX_ROWS)));
  }
  return parts;
}

export const dropExceptions = (userId: UserId, ids: readonly number[]): Statement[] =>
  inParts(ids, (some) => ({
    sql: 'DELETE FROM chat_read_exceptions WHERE user_id = ? AND message_id IN (?)',
    bindings: [userId, some],
  }));

export const insertExceptions = (
  userId: UserId,
  refs: readonly Pick<MessageRef, 'id' | 'recipientId'>[],
  isRead: boolean,
): Statement[] =>
  inParts(refs, (some) => ({
    sql:
      'INSERT INTO chat_read_exceptions (user_id, message_id, recipient_id, is_read) VALUES ? ' +
      'ON DUPLICATE KEY UPDATE is_read = VALUES(is_read)',
    bindings: [some.map(({ id, recipientId }) => [userId, id, recipientId, isRead])],
  }));

/** Sets or clears a flag other than read: a row of chat_flags means that it is set. */
export const changeFlag = (
  userId: UserId,
  flag: number,
  { ids, isSet }: { readonly ids: readonly number[]; readonly isSet: boolean },
): Statement[] =>
  inParts(ids, (some) =>
    isSet
      ? {
          sql: 'INSERT IGNORE INTO chat_flags (user_id, flag, message_id) VALUES ?',
          bindings: [some.map((id) => [userId, flag, id])],
        }
      : {
          sql: 'DELETE FROM chat_flags WHERE user_id = ? AND flag = ? AND message_id IN (?)',
          bindings: [userId, flag, some],
        },
  );

export interface MarkedMessages {
  /** The existing ones. */
  readonly refs: readonly MessageRef[];
  /** For their conversations. */
  readonly state: ReadState;
  readonly marks: Pick<Marks, 'isRead' | 'topicReadIds'>;
}

/** Locks the reader's state, and then reads what decides whether these messages are received and read. */
export function lockedRead({ id: userId, realmId }: Reader, ids: readonly number[]): Read<MarkedMessages> {
  const column = (name: string): Statement => ({
    sql: `SELECT m.${name} FROM chat_messages m WHERE m.realm_id = ? AND m.id IN (?)`,
    bindings: [realmId, ids],
  });
  const topics = withinPlaces('topic_id', column('topic_id'));
  const all = together({
    lock: readOf(LOCK, [userId], () => null),
    refs: refsRead(realmId, ids),
    state: stateRead(userId, column('recipient_id')),
    isRead: readOf(
      'SELECT message_id, is_read FROM chat_read_exceptions WHERE user_id = ? AND message_id IN (?)',
      [userId, ids],
      (rows: readonly { message_id: number; is_read: number }[]) =>
        new Map(rows.map((row) => [row.message_id, row.is_read === 1])),
    ),
    topicReadIds: readOf(
      `SELECT topic_id, read_id FROM chat_topic_reads WHERE user_id = ? AND ${topics.sql}`,
      [userId, ...topics.bindings],
      (rows: readonly { topic_id: number; read_id: number }[]) =>
        new Map(rows.map((row) => [row.topic_id, row.read_id])),
    ),
  });
  return mapRead(all, ({ refs, state, isRead, topicReadIds }) => ({ refs, state, marks: { isRead, topicReadIds } }));
}

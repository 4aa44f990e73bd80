/** Reads columns of messages: by id, in a window of ids, or in ranges of conversations. */
import type { Knex } from 'knex';
import { known, mapRead, readOf, runRead, together, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { Interval, MessageRef } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import { detailColumns, detailsOf, type Detailed, type DetailRow, type Details } from './message-details';

export interface MessageRow extends DetailRow {
  recipient_id: number;
  sender_id: number;
  traits: number;
}

export const NO_DETAILS = { marks: false, words: [], facts: [] };

export const COLUMNS = 'm.id, m.recipient_id, m.topic_id, m.sender_id, m.traits';

/** Forced, because the optimizer prefers the primary key and hopes for an early hit. */
export const INDEX = {
  recipient: 'chat_messages_realm_id_recipient_id_id_index',
  topic: 'chat_messages_realm_id_topic_id_id_index',
  sender: 'chat_messages_realm_id_sender_id_id_index',
  everything: 'PRIMARY',
} as const;

export const refOf = (row: MessageRow): MessageRef => ({
  id: row.id,
  recipientId: row.recipient_id,
  topicId: row.topic_id,
  senderId: row.sender_id,
  traits: row.traits,
});

export interface Reader {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** What to read of each message besides its columns. */
  readonly details?: Pick<Details, 'marks' | 'words' | 'facts'>;
}

export interface Window {
  readonly recipientIds: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** All messages of these conversations in a window of ids, oldest first. */
export function windowRead(
  by: Reader,
  { recipientIds, from, to }: Window,
): Read<{ readonly refs: readonly MessageRef[]; readonly details: Detailed }> {
  const more = detailColumns({ ...NO_DETAILS, ...by, ...by.details });
  return readOf(
    `SELECT ${COLUMNS}${more.sql} FROM chat_messages m FORCE INDEX (PRIMARY) WHERE m.realm_id = ? ` +
      'AND m.id BETWEEN ? AND ? AND m.recipient_id IN (?) ORDER BY m.id',
    [...more.bindings, by.realmId, from, to, recipientIds],
    (rows: readonly MessageRow[]) => ({ refs: rows.map(refOf), details: detailsOf(rows) }),
  );
}

interface Range extends Interval {
  /** The conversation. */
  readonly key: number;
}

/** With many more ranges in a condition, MySQL gives up planning them and reads the whole index. */
const MAX_RANGES = 1000;

/** All messages in these ranges of conversations, in no order. */
export function rangesRead(by: Pick<Reader, 'realmId'>, ranges: readonly Range[]): Read<MessageRef[]> {
  const near = ranges.filter(({ from, to }) => from <= to);
  const reads: Read<MessageRef[]>[] = [];
  for (let start = 0; start < near.length; start += MAX_RANGES) {
    reads.push(someRangesRead(by, near.slice(start, start + MAX_RANGES)));
  }
  return mapRead(together(reads), (found) => found.flat());
}

/** One condition, which the server plans once. */
function someRangesRead({ realmId }: Pick<Reader, 'realmId'>, near: readonly Range[]): Read<MessageRef[]> {
  const condition = near.map(() => '(m.recipient_id = ? AND m.id BETWEEN ? AND ?)').join(' OR ');
  return readOf(
    `SELECT ${COLUMNS} FROM chat_messages m FORCE INDEX (${INDEX.recipient}) WHERE m.realm_id = ? AND (${condition})`,
    [realmId, ...near.flatMap(({ key, from, to }) => [key, from, to])],
    (rows: readonly MessageRow[]) => rows.map(refOf),
  );
}

/** The existing ones of these messages. */
export const refs = (db: Knex, realmId: RealmId, ids: readonly number[]): Promise<MessageRef[]> =>
  runRead(db, refsRead(realmId, ids));

export function refsRead(realmId: RealmId, ids: readonly number[]): Read<MessageRef[]> {
  if (ids.length === 0) return known([]);
  const sql = `SELECT ${COLUMNS} FROM chat_messages m WHERE m.realm_id = ? AND m.id IN (?)`;
  return readOf(sql, [realmId, ids], (rows: readonly MessageRow[]) => rows.map(refOf));
}

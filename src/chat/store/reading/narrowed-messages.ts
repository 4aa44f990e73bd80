/** Walks index ranges for narrows. Each statement reads a bounded number of entries, in the order of the ids. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { known, readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { Seek } from '../../model/reading/narrow-drivers';
import { ENDLESS, type MessageRef } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import { detailColumns, detailsOf, type Detailed, type DetailRow, type Details } from './message-details';

export type Direction = 'up' | 'down';

export interface Walk {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** What to read of each message besides its columns. */
  readonly details?: Pick<Details, 'marks' | 'words' | 'facts'>;
  readonly direction: Direction;
  /** Where to begin, inclusive. */
  readonly start: number;
  readonly limit: number;
}

interface Row extends DetailRow {
  /** The index of the range that the entry comes from. */
  part: number;
  recipient_id: number;
  sender_id: number;
  traits: number;
}

/** An entry whose message was deleted. */
interface Gone {
  part: number;
  id: number;
  recipient_id: null;
}

const NO_DETAILS = { marks: false, words: [], facts: [] };

const COLUMNS = 'm.id, m.recipient_id, m.topic_id, m.sender_id, m.traits';

/** Forced, because the optimizer prefers the primary key and hopes for an early hit. */
const INDEX = {
  recipient: 'chat_messages_realm_id_recipient_id_id_index',
  topic: 'chat_messages_realm_id_topic_id_id_index',
  sender: 'chat_messages_realm_id_sender_id_id_index',
  everything: 'PRIMARY',
} as const;

/** The server still parses a statement with this many parts quickly. */
const MAX_PARTS = 200;

export interface Walked {
  readonly refs: readonly MessageRef[];
  /** Details of the messages that were passed. */
  readonly details: Detailed;
  /** The last id that was passed, even if its message was deleted; undefined if there was none. */
  readonly last: number | undefined;
  /** Whether there is nothing beyond. */
  readonly isEnd: boolean;
}

/** The first messages of all ranges, merged. */
export const walk = (db: Knex, seeks: readonly Seek[], by: Walk): Promise<Walked> => runRead(db, walkRead(seeks, by));

export function walkRead(seeks: readonly Seek[], by: Walk): Read<Walked> {
  const near = seeks.flatMap((seek) => {
    const from = by.direction === 'up' ? Math.max(seek.from, by.start) : seek.from;
    const to = by.direction === 'down' ? Math.min(seek.to, by.start) : seek.to;
    return from <= to ? [{ ...seek, from, to }] : [];
  });
  return mergedRead(near, by, shareOf(near.length, by.limit));
}

/** All messages of the ranges, which must be known to be short. */
export function wholeRead(seeks: readonly Seek[], by: Omit<Walk, 'limit'>): Read<Walked> {
  const near = seeks.filter(({ from, to }) => from <= to);
  return mergedRead(near, { ...by, limit: ENDLESS }, ENDLESS);
}

function mergedRead(seeks: readonly Seek[], by: Walk, share: number): Read<Walked> {
  const statements: Statement[] = [];
  for (let start = 0; start < seeks.length; start += MAX_PARTS) {
    statements.push(walkSome(seeks.slice(start, start + MAX_PARTS), { ...by, limit: share }, start));
  }
  return { statements, parse: (rows) => merge(rows.flat() as unknown as (Row | Gone)[], by, share) };
}

/** With many ranges, each reads somewhat more than its share. A denser range only ends the step earlier. */
function shareOf(runs: number, limit: number): number {
  return Math.min(limit, Math.max(MIN_SHARE, Math.ceil((SPREAD * limit) / Math.max(runs, 1))));
}

const SPREAD = 4;
const MIN_SHARE = 8;

function merge(rows: readonly (Row | Gone)[], { direction, limit }: Walk, share: number): Walked {
  const sign = direction === 'up' ? 1 : -1;
  const sorted = [...rows].sort((a, b) => sign * (a.id - b.id));
  // After the last entry of a truncated range, other entries may be missing.
  const taken = new Map<number, number>();
  const end = sorted.findIndex(({ part }) => {
    taken.set(part, (taken.get(part) ?? 0) + 1);
    return taken.get(part) === share;
  });
  const whole = end < 0 ? sorted : sorted.slice(0, end + 1);
  const once = whole.filter(({ id }, index) => whole[index - 1]?.id !== id);
  const kept = once.slice(0, limit);
  const there = kept.filter((row): row is Row => row.recipient_id !== null);
  return {
    refs: there.map(refOf),
    details: detailsOf(there),
    last: kept.at(-1)?.id,
    isEnd: end < 0 && once.length <= limit,
  };
}

function walkSome(seeks: readonly Seek[], by: Walk, firstPart: number): Statement {
  const parts = seeks.map((seek, index) => partOf(seek, by, firstPart + index));
  return {
    sql: parts.length === 1 ? parts[0]!.sql : parts.map((part) => `(${part.sql})`).join(' UNION ALL '),
    bindings: parts.flatMap(({ bindings }) => bindings),
  };
}

const refOf = (row: Omit<Row, 'part'>): MessageRef => ({
  id: row.id,
  recipientId: row.recipient_id,
  topicId: row.topic_id,
  senderId: row.sender_id,
  traits: row.traits,
});

function partOf(seek: Seek, { realmId, userId, direction, limit, details }: Walk, part: number): Statement {
  const order = direction === 'up' ? 'ASC' : 'DESC';
  const range = [seek.from, seek.to] as const;
  const more = detailColumns({ realmId, userId, ...NO_DETAILS, ...details });
  /** Entries of another table, each with its message. */
  const through = (table: string, where: string, bindings: readonly (string | number)[]): Statement => ({
    sql:
      `SELECT ${part} AS part, e.message_id AS id, m.recipient_id, m.topic_id, m.sender_id, m.traits${more.sql} ` +
      'FROM (SELECT message_id ' +
      `FROM ${table} WHERE ${where} AND message_id BETWEEN ? AND ? ORDER BY message_id ${order} LIMIT ?) e ` +
      `LEFT JOIN chat_messages m ON m.realm_id = ? AND m.id = e.message_id ORDER BY e.message_id ${order}`,
    bindings: [...more.bindings, ...bindings, ...range, limit, realmId],
  });
  const among = (index: keyof typeof INDEX, where: string, bindings: readonly number[]): Statement => ({
    sql:
      `SELECT ${part} AS part, ${COLUMNS}${more.sql} FROM chat_messages m FORCE INDEX (${INDEX[index]}) ` +
      `WHERE m.realm_id = ? AND ${where} m.id BETWEEN ? AND ? ORDER BY m.id ${order} LIMIT ?`,
    bindings: [...more.bindings, realmId, ...bindings, ...range, limit],
  });
  switch (seek.by) {
    case 'recipient':
    case 'topic':
    case 'sender':
      return among(seek.by, `m.${seek.by}_id = ? AND`, [seek.key]);
    case 'everything':
      return among(seek.by, '', []);
    case 'reactions':
      return through('chat_reactions', 'realm_id = ?', [realmId]);
    case 'flag':
      return through('chat_flags', 'user_id = ? AND flag = ?', [userId, seek.key]);
    case 'word':
      return through('chat_search', 'realm_id = ? AND word = ?', [realmId, seek.key]);
    case 'unread-exceptions':
      return through('chat_read_exceptions', 'user_id = ? AND is_read = 0', [userId]);
  }
}

export interface Window {
  readonly recipientIds: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** All messages of these conversations in a window of ids, oldest first. */
export function windowRead(
  by: Pick<Walk, 'realmId' | 'userId' | 'details'>,
  { recipientIds, from, to }: Window,
): Read<Pick<Walked, 'refs' | 'details'>> {
  const more = detailColumns({ ...NO_DETAILS, ...by, ...by.details });
  return readOf(
    `SELECT ${COLUMNS}${more.sql} FROM chat_messages m FORCE INDEX (PRIMARY) WHERE m.realm_id = ? ` +
      'AND m.id BETWEEN ? AND ? AND m.recipient_id IN (?) ORDER BY m.id',
    [...more.bindings, by.realmId, from, to, recipientIds],
    (rows: readonly Row[]) => ({ refs: rows.map(refOf), details: detailsOf(rows) }),
  );
}

/** The existing ones of these messages. */
export const refs = (db: Knex, realmId: RealmId, ids: readonly number[]): Promise<MessageRef[]> =>
  runRead(db, refsRead(realmId, ids));

export function refsRead(realmId: RealmId, ids: readonly number[]): Read<MessageRef[]> {
  if (ids.length === 0) return known([]);
  const sql = `SELECT ${COLUMNS} FROM chat_messages m WHERE m.realm_id = ? AND m.id IN (?)`;
  return readOf(sql, [realmId, ids], (rows: readonly Row[]) => rows.map(refOf));
}

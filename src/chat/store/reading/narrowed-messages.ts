/** Walks index ranges for narrows. Each statement reads a bounded number of entries, in the order of the ids. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { Seek } from '../../model/reading/narrow-drivers';
import { ENDLESS, type MessageRef } from '../../model/reading/read-state';
import { COLUMNS, INDEX, NO_DETAILS, refOf, type MessageRow, type Reader } from './message-refs';
import { detailColumns, detailsOf, type Detailed } from './message-details';

export type Direction = 'up' | 'down';

export interface Walk extends Reader {
  readonly direction: Direction;
  /** Where to begin, inclusive. */
  readonly start: number;
  readonly limit: number;
}

interface Row extends MessageRow {
  /** The index of the range that the entry comes from. */
  part: number;
}

/** An entry whose message was deleted. */
interface Gone {
  part: number;
  id: number;
  recipient_id: null;
}

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

/** Walks runs of index entries for narrows. Each statement reads a bounded number of them, in the order of the ids. */
import type { Knex } from 'knex';
import type { Seek } from '../model/narrow-drivers';
import type { Glance } from '../model/read-state';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';

export type Direction = 'up' | 'down';

export interface Walk {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly direction: Direction;
  /** Where to begin, itself included. */
  readonly start: number;
  readonly limit: number;
}

interface Row {
  id: number;
  recipient_id: number;
  topic_id: number | null;
  sender_id: number;
  traits: number;
}

/** An entry whose message has been deleted. */
interface Gone {
  id: number;
  recipient_id: null;
}

const COLUMNS = 'm.id, m.recipient_id, m.topic_id, m.sender_id, m.traits';

/** Named, because the optimizer would rather walk the primary key and hope for an early hit. */
const INDEX = {
  recipient: 'chat_messages_realm_id_recipient_id_id_index',
  topic: 'chat_messages_realm_id_topic_id_id_index',
  sender: 'chat_messages_realm_id_sender_id_id_index',
  everything: 'PRIMARY',
} as const;

/** A statement with this many parts is still read quickly by the server. */
const MOST_PARTS = 200;

export interface Walked {
  readonly glances: readonly Glance[];
  /** The last id that was passed, whether its message is still there or not; undefined where there was none. */
  readonly last: number | undefined;
  /** Whether there is nothing beyond. */
  readonly isEnd: boolean;
}

/** The first messages of all runs together. */
export async function walk(db: Knex, seeks: readonly Seek[], by: Walk): Promise<Walked> {
  const near = seeks.flatMap((seek) => {
    const from = by.direction === 'up' ? Math.max(seek.from, by.start) : seek.from;
    const to = by.direction === 'down' ? Math.min(seek.to, by.start) : seek.to;
    return from <= to ? [{ ...seek, from, to }] : [];
  });
  const rows = new Map<number, Row | Gone>();
  const sign = by.direction === 'up' ? 1 : -1;
  // Beyond the last entry of a part that was cut off, others may be missing.
  let horizon = sign * Infinity;
  for (let start = 0; start < near.length; start += MOST_PARTS) {
    const some = await walkSome(db, near.slice(start, start + MOST_PARTS), by);
    for (const row of some) rows.set(row.id, row);
    if (some.length >= by.limit) horizon = sign * Math.min(sign * horizon, sign * some.at(-1)!.id);
  }
  const sorted = [...rows.values()].filter(({ id }) => sign * id <= sign * horizon);
  sorted.sort((a, b) => sign * (a.id - b.id));
  const kept = sorted.slice(0, by.limit);
  return {
    glances: kept.flatMap((row) => (row.recipient_id === null ? [] : [glanceOf(row)])),
    last: kept.at(-1)?.id,
    isEnd: !Number.isFinite(horizon) && sorted.length <= by.limit,
  };
}

async function walkSome(db: Knex, seeks: readonly Seek[], by: Walk): Promise<(Row | Gone)[]> {
  const parts = seeks.map((seek) => partOf(seek, by));
  const bindings = parts.flatMap((part) => part.bindings);
  const [only] = parts;
  const order = `ORDER BY id ${by.direction === 'up' ? 'ASC' : 'DESC'} LIMIT ?`;
  const [rows] = (await (parts.length === 1
    ? db.raw(only!.sql, bindings)
    : db.raw(`${parts.map(({ sql }) => `(${sql})`).join(' UNION ALL ')} ${order}`, [...bindings, by.limit]))) as [
    (Row | Gone)[],
  ];
  return rows;
}

export const glanceOf = (row: Row): Glance => ({
  id: row.id,
  recipientId: row.recipient_id,
  topicId: row.topic_id,
  senderId: row.sender_id,
  traits: row.traits,
});

interface Part {
  readonly sql: string;
  readonly bindings: (string | number)[];
}

function partOf(seek: Seek, { realmId, userId, direction, limit }: Walk): Part {
  const order = direction === 'up' ? 'ASC' : 'DESC';
  const range = [seek.from, seek.to] as const;
  /** Entries of another table, each with its message. */
  const through = (table: string, where: string, bindings: readonly (string | number)[]): Part => ({
    sql:
      `SELECT e.message_id AS id, m.recipient_id, m.topic_id, m.sender_id, m.traits FROM (SELECT message_id ` +
      `FROM ${table} WHERE ${where} AND message_id BETWEEN ? AND ? ORDER BY message_id ${order} LIMIT ?) e ` +
      `LEFT JOIN chat_messages m ON m.realm_id = ? AND m.id = e.message_id ORDER BY e.message_id ${order}`,
    bindings: [...bindings, ...range, limit, realmId],
  });
  switch (seek.by) {
    case 'recipient':
    case 'topic':
    case 'sender':
      return {
        sql:
          `SELECT ${COLUMNS} FROM chat_messages m FORCE INDEX (${INDEX[seek.by]}) WHERE m.realm_id = ? ` +
          `AND m.${seek.by}_id = ? AND m.id BETWEEN ? AND ? ORDER BY m.id ${order} LIMIT ?`,
        bindings: [realmId, seek.key, ...range, limit],
      };
    case 'everything':
      return {
        sql:
          `SELECT ${COLUMNS} FROM chat_messages m FORCE INDEX (${INDEX.everything}) WHERE m.realm_id = ? ` +
          `AND m.id BETWEEN ? AND ? ORDER BY m.id ${order} LIMIT ?`,
        bindings: [realmId, ...range, limit],
      };
    case 'flag':
      return through('chat_flags', 'user_id = ? AND flag = ?', [userId, seek.key]);
    case 'word':
      return through('chat_search', 'realm_id = ? AND word = ?', [realmId, seek.key]);
    case 'unread-exceptions':
      return through('chat_read_exceptions', 'user_id = ? AND is_read = 0', [userId]);
  }
}

/** All that was said in these places in a window of ids, however much else there was. */
export async function window(
  db: Knex,
  realmId: RealmId,
  recipientIds: readonly number[],
  ids: { readonly from: number; readonly to: number },
): Promise<Glance[]> {
  const [rows] = (await db.raw(
    `SELECT ${COLUMNS} FROM chat_messages m FORCE INDEX (PRIMARY) WHERE m.realm_id = ? AND m.id BETWEEN ? AND ? ` +
      'AND m.recipient_id IN (?) ORDER BY m.id',
    [realmId, ids.from, ids.to, recipientIds] as never,
  )) as [Row[]];
  return rows.map(glanceOf);
}

/** These messages, as far as they are there. */
export async function glances(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<Glance[]> {
  if (ids.length === 0) return [];
  const [rows] = (await db.raw(`SELECT ${COLUMNS} FROM chat_messages m WHERE m.realm_id = ? AND m.id IN (?)`, [
    realmId,
    ids,
  ] as never)) as [Row[]];
  return rows.map(glanceOf);
}

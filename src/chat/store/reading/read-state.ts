/** Reads what a user has received, read and flagged: several small tables in one round trip. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { readOf, runRead, together, type Read } from '../../../kernel/mysql/read-packet';
import {
  ENDLESS,
  type MessageRef,
  type Interval,
  type Marks,
  type Place,
  type ReadState,
} from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import { grouped } from '../rows';

interface PlaceRow {
  recipient_id: number;
  is_active: number;
  from_id: number;
  read_id: number;
  is_muted: number;
  is_private: number | null;
  is_history_public: number | null;
}

interface ReceptionRow {
  recipient_id: number;
  from_id: number;
  to_id: number;
}

/** Conversations by id, or a statement that selects them; undefined for all of the user's. */
export type Places = readonly number[] | Statement | undefined;

/** A condition on a column of ids. Never uses an empty list, because SQL has none. */
export function withinPlaces(column: string, places: Places): Statement {
  if (places === undefined) return { sql: 'TRUE', bindings: [] };
  if ('sql' in places) return { sql: `${column} IN (${places.sql})`, bindings: places.bindings };
  return { sql: `${column} IN (?)`, bindings: [places.length === 0 ? [0] : places] };
}

export const load = (db: Knex, userId: UserId, places?: Places): Promise<ReadState> =>
  runRead(db, stateRead(userId, places));

export function stateRead(userId: UserId, places?: Places): Read<ReadState> {
  const within = withinPlaces('x.recipient_id', places);
  const bindings = [userId, ...within.bindings];
  return {
    statements: [
      { sql: 'SELECT read_id FROM chat_users WHERE id = ?', bindings: [userId] },
      {
        sql:
          'SELECT x.recipient_id, x.is_active, x.from_id, x.read_id, x.is_muted, s.is_private, s.is_history_public ' +
          `FROM chat_subscriptions x LEFT JOIN chat_streams s ON s.id = x.recipient_id WHERE x.user_id = ? AND ${within.sql}`,
        bindings,
      },
      {
        sql:
          `SELECT x.recipient_id, x.from_id, x.to_id FROM chat_receptions x WHERE x.user_id = ? AND ${within.sql} ` +
          'ORDER BY x.recipient_id, x.from_id',
        bindings,
      },
    ],
    parse(answers) {
      const [[user], rows, receptions] = answers as unknown as [[{ read_id: number }?], PlaceRow[], ReceptionRow[]];
      const left = grouped(receptions.map(({ recipient_id: id, from_id: from, to_id: to }) => [id, { from, to }]));
      return {
        userId,
        readId: user?.read_id ?? 0,
        places: new Map(rows.map((row) => [row.recipient_id, placeOf(row, left.get(row.recipient_id) ?? [])])),
      };
    },
  };
}

function placeOf(row: PlaceRow, left: readonly Interval[]): Place {
  const isSubscribed = row.is_active === 1;
  return {
    recipientId: row.recipient_id,
    stream:
      row.is_private === null
        ? null
        : { isPrivate: row.is_private === 1, isHistoryPublic: row.is_history_public === 1 },
    isSubscribed,
    isMuted: row.is_muted === 1,
    readId: row.read_id,
    received: isSubscribed ? [...left, { from: row.from_id, to: ENDLESS }] : left,
  };
}

const MAX_IDS = 5000;

/** The user's marks on these messages. */
export const marksOf = (db: Knex, userId: UserId, refs: readonly MessageRef[]): Promise<Marks> =>
  runRead(db, marksRead(userId, refs));

interface MarkRows {
  exceptions: readonly { message_id: number; is_read: number }[];
  flags: readonly { message_id: number; flag: number }[];
  topics: readonly { topic_id: number; read_id: number }[];
}

export function marksRead(userId: UserId, refs: readonly MessageRef[]): Read<Marks> {
  const parts: Read<MarkRows>[] = [];
  for (let start = 0; start < refs.length; start += MAX_IDS) {
    parts.push(someMarks(userId, refs.slice(start, start + MAX_IDS)));
  }
  const all = together(parts);
  return {
    statements: all.statements,
    parse(rows) {
      const found = all.parse(rows) as readonly MarkRows[];
      const flags = new Map<number, Set<number>>();
      for (const { message_id: id, flag } of found.flatMap((part) => part.flags)) {
        flags.set(id, (flags.get(id) ?? new Set()).add(flag));
      }
      const exceptions = found.flatMap((part) => part.exceptions);
      const topics = found.flatMap((part) => part.topics);
      return {
        isRead: new Map(exceptions.map((row) => [row.message_id, row.is_read === 1])),
        flags,
        topicReadIds: new Map(topics.map((row) => [row.topic_id, row.read_id])),
      };
    },
  };
}

function someMarks(userId: UserId, refs: readonly MessageRef[]): Read<MarkRows> {
  const ids = refs.map(({ id }) => id);
  const topics = [...new Set([0, ...refs.flatMap(({ topicId }) => topicId ?? [])])];
  return together({
    exceptions: readOf(
      'SELECT message_id, is_read FROM chat_read_exceptions WHERE user_id = ? AND message_id IN (?)',
      [userId, ids],
      (rows: MarkRows['exceptions']) => rows,
    ),
    flags: readOf(
      'SELECT message_id, flag FROM chat_flags WHERE user_id = ? AND message_id IN (?)',
      [userId, ids],
      (rows: MarkRows['flags']) => rows,
    ),
    topics: readOf(
      'SELECT topic_id, read_id FROM chat_topic_reads WHERE user_id = ? AND topic_id IN (?)',
      [userId, topics],
      (rows: MarkRows['topics']) => rows,
    ),
  });
}

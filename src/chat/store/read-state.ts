/** Reads what a user has received, read and flagged: several small tables in one round trip. */
import type { Knex } from 'knex';
import { ENDLESS, type Glance, type Interval, type Marks, type Place, type ReadState } from '../model/read-state';
import type { UserId } from '../model/user';

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

/** In all places of the user, or in these. */
export async function load(db: Knex, userId: UserId, recipientIds?: readonly number[]): Promise<ReadState> {
  const inPlaces = recipientIds === undefined ? '' : ' AND x.recipient_id IN (?)';
  const places = recipientIds === undefined ? [] : [recipientIds.length === 0 ? [0] : recipientIds];
  const [[[user], rows, receptions]] = (await db.raw(
    'SELECT read_id FROM chat_users WHERE id = ?; ' +
      'SELECT x.recipient_id, x.is_active, x.from_id, x.read_id, x.is_muted, s.is_private, s.is_history_public ' +
      `FROM chat_subscriptions x LEFT JOIN chat_streams s ON s.id = x.recipient_id WHERE x.user_id = ?${inPlaces}; ` +
      `SELECT x.recipient_id, x.from_id, x.to_id FROM chat_receptions x WHERE x.user_id = ?${inPlaces} ` +
      'ORDER BY x.recipient_id, x.from_id',
    [userId, userId, ...places, userId, ...places] as never,
  )) as [[[{ read_id: number }], PlaceRow[], ReceptionRow[]]];
  const left = intervalsOf(receptions);
  return {
    userId,
    readId: user?.read_id ?? 0,
    places: new Map(rows.map((row) => [row.recipient_id, placeOf(row, left.get(row.recipient_id) ?? [])])),
  };
}

function intervalsOf(rows: readonly ReceptionRow[]): Map<number, Interval[]> {
  const found = new Map<number, Interval[]>();
  for (const { recipient_id: recipientId, from_id: from, to_id: to } of rows) {
    const list = found.get(recipientId) ?? [];
    list.push({ from, to });
    found.set(recipientId, list);
  }
  return found;
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

const MOST_IDS = 5000;

/** What the user has set on these messages. */
export async function marksOf(db: Knex, userId: UserId, glances: readonly Glance[]): Promise<Marks> {
  const isRead = new Map<number, boolean>();
  const flags = new Map<number, Set<number>>();
  const topicReadIds = new Map<number, number>();
  for (let start = 0; start < glances.length; start += MOST_IDS) {
    const some = glances.slice(start, start + MOST_IDS);
    const ids = some.map(({ id }) => id);
    const topics = [...new Set(some.flatMap(({ topicId }) => (topicId === null ? [] : [topicId])))];
    const [[exceptions, flagRows, topicRows]] = (await db.raw(
      'SELECT message_id, is_read FROM chat_read_exceptions WHERE user_id = ? AND message_id IN (?); ' +
        'SELECT message_id, flag FROM chat_flags WHERE user_id = ? AND message_id IN (?); ' +
        'SELECT topic_id, read_id FROM chat_topic_reads WHERE user_id = ? AND topic_id IN (?)',
      [userId, ids, userId, ids, userId, topics.length === 0 ? [0] : topics] as never,
    )) as [
      [
        { message_id: number; is_read: number }[],
        { message_id: number; flag: number }[],
        { topic_id: number; read_id: number }[],
      ],
    ];
    for (const row of exceptions) isRead.set(row.message_id, row.is_read === 1);
    for (const { message_id: id, flag } of flagRows) flags.set(id, (flags.get(id) ?? new Set()).add(flag));
    for (const row of topicRows) topicReadIds.set(row.topic_id, row.read_id);
  }
  return { isRead, flags, topicReadIds };
}

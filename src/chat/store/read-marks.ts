/** The cursors of a user's read state as transactions move them; marks by themselves are packets of their own. */
import type { Knex } from 'knex';
import { send } from '../../kernel/mysql/direct';
import type { Glance } from '../model/read-state';
import { realmTenant, type RealmId } from '../model/realm';
import type { UserId } from '../model/user';

export interface Reader {
  readonly id: UserId;
  readonly realmId: RealmId;
}

/** What a mark did to a place: everything between these ids, and these besides, is read now. */
export interface Marked {
  readonly from: number;
  readonly to: number;
  readonly ids: readonly number[];
}

/** One reading of a user at a time; everything below relies on it. */
export const LOCK = 'SELECT read_id FROM chat_users WHERE id = ? FOR UPDATE';
/** Others may read it so as well; only who moves messages waits: see keepReadState. */
export const HOLD_TOPIC = 'SELECT id FROM chat_topics WHERE id = ? LOCK IN SHARE MODE';
/** The counter's committed number is exact: no message up to it is still under way. */
export const HEAD_NUMBER = 'SELECT COALESCE(MAX(record_number), 0) FROM kernel_counters WHERE tenant = ?';

type Cursors = readonly { read_id: number }[];
type Exceptions = readonly { message_id: number }[];
const idsIn = (rows: Exceptions): number[] => rows.map(({ message_id: id }) => id);

/** Undefined for who has never had part in the place. */
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

export interface MarkView {
  readonly stream: { readonly isPrivate: boolean } | undefined;
  readonly isSubscribed: boolean;
  readonly topicId: number | undefined;
  /** Whether anything in the topic was received. */
  readonly hasReceived: boolean;
}

interface ViewRow {
  is_private: number;
  is_active: number | null;
  topic_id?: number | null;
  has_received?: number;
}

/** Named, because the optimizer would rather walk the primary key and hope for an early hit. */
const IN_TOPIC =
  'SELECT m.id FROM chat_messages m FORCE INDEX (chat_messages_realm_id_topic_id_id_index) ' +
  'WHERE m.realm_id = s.realm_id AND m.topic_id = t.id';

const SUBSCRIBED = 'FROM chat_streams s LEFT JOIN chat_subscriptions x ON x.recipient_id = s.id AND x.user_id = ?';
const STREAM = 'WHERE s.id = ? AND s.realm_id = ? AND s.is_active';

/** What is to be known before a mark of a stream, or of a topic in it. */
export async function view(
  db: Knex,
  { id, realmId }: Reader,
  { streamId, topic }: { readonly streamId: number; readonly topic?: string | undefined },
): Promise<MarkView> {
  const [row] = (await (topic === undefined
    ? send(db, `SELECT s.is_private, x.is_active ${SUBSCRIBED} ${STREAM}`, [id, streamId, realmId])
    : send(
        db,
        'SELECT s.is_private, x.is_active, t.id AS topic_id, ' +
          `(x.is_active AND (${IN_TOPIC} AND m.id >= x.from_id LIMIT 1) IS NOT NULL) ` +
          'OR EXISTS (SELECT 1 FROM chat_receptions r WHERE r.user_id = ? AND r.recipient_id = s.id ' +
          `AND (${IN_TOPIC} AND m.id BETWEEN r.from_id AND r.to_id LIMIT 1) IS NOT NULL) AS has_received ` +
          `${SUBSCRIBED} LEFT JOIN chat_topics t ON t.recipient_id = s.id AND t.name_key = LOWER(?) ${STREAM}`,
        [id, id, topic, streamId, realmId],
      ))) as ViewRow[];
  return {
    stream: row && { isPrivate: row.is_private === 1 },
    isSubscribed: row?.is_active === 1,
    topicId: row?.topic_id ?? undefined,
    hasReceived: row?.has_received === 1,
  };
}

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
  glances: readonly Pick<Glance, 'id' | 'recipientId'>[],
  isRead: boolean,
): Promise<void> {
  for (let start = 0; start < glances.length; start += MOST_ROWS) {
    await db('chat_read_exceptions')
      .insert(
        glances.slice(start, start + MOST_ROWS).map(({ id, recipientId }) => ({
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

/** Moves the cursors of a user's read state. Each mark is one packet, whatever it covers, and begins by locking the user. */
import type { Knex } from 'knex';
import { ENDLESS, type Glance, type Interval } from '../model/read-state';
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
const HEAD = 'SET @head = COALESCE((SELECT record_number FROM kernel_counters WHERE tenant = ?), 0)';

export async function markAll(db: Knex, { id, realmId }: Reader): Promise<void> {
  await db.raw(
    [
      LOCK,
      HEAD,
      'UPDATE chat_users SET read_id = GREATEST(read_id, @head) WHERE id = ?',
      'DELETE FROM chat_read_exceptions WHERE user_id = ? AND is_read = 0',
    ].join('; '),
    [id, realmTenant(realmId), id, id],
  );
}

type Cursors = readonly { read_id: number }[];
type Exceptions = readonly { message_id: number }[];
const idsIn = (rows: Exceptions): number[] => rows.map(({ message_id: id }) => id);

/** Undefined for who has never had part in the place. */
export async function markPlace(db: Knex, { id, realmId }: Reader, recipientId: number): Promise<Marked | undefined> {
  const [replies] = (await db.raw(
    [
      LOCK,
      HEAD,
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

export interface TopicPlace {
  readonly recipientId: number;
  readonly topicId: number;
}

export async function markTopic(db: Knex, { id, realmId }: Reader, topic: TopicPlace): Promise<Marked> {
  const { recipientId, topicId } = topic;
  const [replies] = (await db.raw(
    [
      LOCK,
      HOLD_TOPIC,
      HEAD,
      'SELECT s.read_id FROM chat_subscriptions s WHERE s.recipient_id = ? AND s.user_id = ? ' +
        'UNION ALL SELECT t.read_id FROM chat_topic_reads t WHERE t.user_id = ? AND t.topic_id = ?',
      'SELECT e.message_id FROM chat_read_exceptions e JOIN chat_messages m ON m.realm_id = ? AND m.id = e.message_id ' +
        'WHERE e.user_id = ? AND e.is_read = 0 AND e.recipient_id = ? AND m.topic_id = ?',
      'INSERT INTO chat_topic_reads (user_id, topic_id, recipient_id, read_id) VALUES (?, ?, ?, @head) ' +
        'ON DUPLICATE KEY UPDATE read_id = GREATEST(read_id, VALUES(read_id))',
      'SELECT @head AS head',
    ].join('; '),
    [id, topicId, realmTenant(realmId), recipientId, id, id, topicId].concat(
      [realmId, id, recipientId, topicId],
      [id, topicId, recipientId],
    ),
  )) as [readonly [Cursors, unknown, unknown, Cursors, Exceptions, ...unknown[]]];
  const [[user], , , cursors, exceptions] = replies;
  const ids = idsIn(exceptions);
  await dropExceptions(db, id, ids);
  const from = Math.max(user!.read_id, ...cursors.map(({ read_id: readId }) => readId));
  return { from, to: headIn(replies), ids };
}

export interface MarkView {
  readonly stream: { readonly isPrivate: boolean } | undefined;
  readonly isSubscribed: boolean;
  readonly received: readonly Interval[];
  readonly topicId: number | undefined;
}

interface ViewRows {
  stream: { is_private: number };
  subscription: { is_active: number; from_id: number };
  reception: { from_id: number; to_id: number };
  topic: { id: number };
}

/** What is to be known before a mark. */
export async function view(
  db: Knex,
  { id, realmId }: Reader,
  { streamId, topic }: { readonly streamId: number; readonly topic: string },
): Promise<MarkView> {
  const [[[stream], [subscription], receptions, [found]]] = (await db.raw(
    'SELECT is_private FROM chat_streams WHERE id = ? AND realm_id = ? AND is_active; ' +
      'SELECT is_active, from_id FROM chat_subscriptions WHERE recipient_id = ? AND user_id = ?; ' +
      'SELECT from_id, to_id FROM chat_receptions WHERE user_id = ? AND recipient_id = ?; ' +
      'SELECT id FROM chat_topics WHERE recipient_id = ? AND name_key = LOWER(?)',
    [streamId, realmId, streamId, id, id, streamId, streamId, topic],
  )) as [[ViewRows['stream'][], ViewRows['subscription'][], ViewRows['reception'][], ViewRows['topic'][]]];
  const isSubscribed = subscription?.is_active === 1;
  const left = receptions.map(({ from_id: from, to_id: to }) => ({ from, to }));
  return {
    stream: stream && { isPrivate: stream.is_private === 1 },
    isSubscribed,
    received: isSubscribed ? [{ from: subscription.from_id, to: ENDLESS }, ...left] : left,
    topicId: found?.id,
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

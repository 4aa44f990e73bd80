/** Rows of chat_subscriptions: members of a stream or private conversation, since when, and how far they have read. */
import type { Knex } from 'knex';
import { known, readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { StreamId } from '../../model/streams/stream';
import { NOTIFICATIONS, type Notification, type Subscription } from '../../model/streams/subscription';
import type { UserId } from '../../model/users/user';
import { readAll, readOne } from '../rows';

interface Row extends Record<`notify_${Notification}`, number | null> {
  recipient_id: number;
  user_id: number;
  is_active: number;
  from_id: number;
  read_id: number;
  color: string;
  is_muted: number;
  is_pinned: number;
}

const orNull = (value: number | null): boolean | null => (value === null ? null : value === 1);

function subscriptionOf(row: Row): Subscription {
  const notify = Object.fromEntries(NOTIFICATIONS.map((kind) => [kind, orNull(row[`notify_${kind}`])]));
  return {
    streamId: row.recipient_id as StreamId,
    userId: row.user_id as UserId,
    isActive: row.is_active === 1,
    fromId: row.from_id,
    readId: row.read_id,
    color: row.color,
    isMuted: row.is_muted === 1,
    isPinned: row.is_pinned === 1,
    notify: notify as Subscription['notify'],
  };
}

/** Ids of the current subscribers, sorted. */
export async function subscribers(db: Knex, recipientId: number): Promise<UserId[]> {
  return (await db('chat_subscriptions')
    .where({ recipient_id: recipientId, is_active: true })
    .orderBy('user_id')
    .pluck('user_id')) as UserId[];
}

/** A user's subscription, active or ended. */
export const find = (db: Knex, userId: UserId, streamId: StreamId): Promise<Subscription | undefined> =>
  readOne(db('chat_subscriptions').where({ recipient_id: streamId, user_id: userId }).first(), subscriptionOf);

/** All subscriptions, active or ended, between these users and these streams. */
export async function among(
  db: Knex,
  streamIds: readonly StreamId[],
  userIds: readonly UserId[],
): Promise<Subscription[]> {
  if (streamIds.length === 0 || userIds.length === 0) return [];
  const found = db('chat_subscriptions').whereIn('recipient_id', streamIds).whereIn('user_id', userIds);
  return readAll(found.orderBy(['recipient_id', 'user_id']), subscriptionOf);
}

/** A user's subscriptions, active or ended, to active streams. */
export const ofUserRead = (userId: UserId): Read<Subscription[]> =>
  readOf(
    'SELECT s.* FROM chat_subscriptions s JOIN chat_streams t ON t.id = s.recipient_id ' +
      'WHERE s.user_id = ? AND t.is_active',
    [userId],
    (rows: readonly Row[]) => rows.map(subscriptionOf),
  );

/** The streams to which any of these users is subscribed, unless the account is deactivated. */
export function heardRead(userIds: readonly UserId[]): Read<ReadonlySet<StreamId>> {
  if (userIds.length === 0) return known(new Set<StreamId>());
  return readOf(
    'SELECT s.recipient_id FROM chat_subscriptions s JOIN chat_users u ON u.id = s.user_id ' +
      'WHERE s.user_id IN (?) AND s.is_active AND u.is_active',
    [userIds],
    (rows: readonly Pick<Row, 'recipient_id'>[]) => new Set(rows.map((row) => row.recipient_id as StreamId)),
  );
}

/** The subscribers of each stream, without deactivated accounts. */
export const subscribersRead = (streamIds: readonly StreamId[]) => collectRead<UserId>(streamIds, 'u.id');

export const subscribersOf = (db: Knex, streamIds: readonly StreamId[]): Promise<Map<StreamId, UserId[]>> =>
  runRead(db, subscribersRead(streamIds));

export const emailsOf = (db: Knex, streamIds: readonly StreamId[]): Promise<Map<StreamId, string[]>> =>
  runRead(db, collectRead<string>(streamIds, 'u.email'));

function collectRead<T>(ids: readonly StreamId[], column: string): Read<Map<StreamId, T[]>> {
  const noneOf = () => new Map<StreamId, T[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return known(noneOf());
  return readOf(
    `SELECT s.recipient_id AS stream, ${column} AS value FROM chat_subscriptions s ` +
      'JOIN chat_users u ON u.id = s.user_id ' +
      'WHERE s.recipient_id IN (?) AND s.is_active AND u.is_active ORDER BY s.recipient_id, s.user_id',
    [ids],
    (rows: readonly { stream: StreamId; value: T }[]) => {
      const found = noneOf();
      for (const { stream, value } of rows) found.get(stream)?.push(value);
      return found;
    },
  );
}

/** How often each user has each colour among their subscriptions. */
export async function colorsOf(db: Knex, userIds: readonly UserId[]): Promise<Map<UserId, Map<string, number>>> {
  const rows = (await db('chat_subscriptions')
    .whereIn('user_id', userIds)
    .where({ is_active: true })
    .groupBy('user_id', 'color')
    .select('user_id', 'color')
    .count({ times: '*' })) as { user_id: UserId; color: string; times: number }[];
  const found = new Map<UserId, Map<string, number>>(userIds.map((id) => [id, new Map()]));
  for (const { user_id: user, color, times } of rows) if (color !== '') found.get(user)!.set(color, times);
  return found;
}

export interface NewSubscription {
  readonly recipientId: number;
  readonly userId: UserId;
  /** The first message that will be received. */
  readonly fromId: number;
  /** The last message that counts as read: by default all that are not received. */
  readonly readId?: number;
  readonly color: string;
}

/** Subscribes users. Returning ones keep the settings they had. Lock the streams first. */
export async function insert(db: Knex, subscriptions: readonly NewSubscription[]): Promise<void> {
  for (let start = 0; start < subscriptions.length; start += MAX_AT_ONCE) {
    await db('chat_subscriptions')
      .insert(
        subscriptions.slice(start, start + MAX_AT_ONCE).map(({ recipientId, userId, fromId, readId, color }) => ({
          recipient_id: recipientId,
          user_id: userId,
          from_id: fromId,
          read_id: readId ?? fromId - 1,
          color,
          created_at: db.raw('NOW(3)'),
        })),
      )
      .onConflict()
      .merge({
        is_active: true,
        from_id: db.raw('VALUES(from_id)'),
        read_id: db.raw('VALUES(read_id)'),
        color: db.raw('VALUES(color)'),
      });
  }
}

const MAX_AT_ONCE = 1000;

export type SubscriptionChanges = Partial<
  Record<'color', string> & Record<'is_muted' | 'is_pinned' | `notify_${Notification}`, boolean>
>;

export async function update(
  db: Knex,
  userId: UserId,
  streamId: StreamId,
  changes: SubscriptionChanges,
): Promise<void> {
  await db('chat_subscriptions').where({ user_id: userId, recipient_id: streamId }).update(changes);
}

/** The streams whose messages the user wants by mail, by a setting of their own. */
export const mailedStreams = (db: Knex, userId: UserId): Promise<number[]> =>
  db('chat_subscriptions').where({ user_id: userId, is_active: true, notify_email: true }).pluck('recipient_id');

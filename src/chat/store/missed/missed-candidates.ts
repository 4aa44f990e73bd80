/** Finds messages that somebody may have missed, with the people and what they want. */
import type { Knex } from 'knex';
import { FLAGS, TRAITS } from '../../model/messages/message';
import type { Missed } from '../../model/missed/missed-messages';
import type { CalledByTopic, Reader, StreamMessage, Subscriber, TopicPolicyOf } from '../../model/missed/missed-rules';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';
import { mutersAmong, type Muters } from '../users/muted-users';

export interface Range {
  readonly realmId: RealmId;
  readonly from: number;
  readonly to: number;
  /** Older messages are skipped; in Unix seconds. */
  readonly since: number;
}

interface ReaderRow {
  readonly userId: UserId;
  readonly settings: string;
  readonly timezone: string;
}

type CandidateRow = Omit<Missed, 'realmId'> & ReaderRow;

const readerOf = ({ userId, settings, timezone }: ReaderRow): Reader => ({
  userId,
  settings: JSON.parse(settings) as StoredSettings,
  timezone,
});

const OF_SUBSCRIPTION =
  's.recipient_id AS streamId, s.is_muted AS isMuted, s.notify_email AS email, s.notify_push AS push, ' +
  's.notify_wildcard AS wildcard';
const COLUMNS =
  'u.id AS userId, m.id, m.recipient_id AS recipientId, m.topic_id AS topicId, m.sender_id AS senderId, m.traits, ' +
  'm.sent_at AS sentAt, u.settings, u.timezone';
const PEOPLE = 'u.is_active AND u.bot_type IS NULL AND u.id <> m.sender_id';
const WITHIN = 'm.realm_id = ? AND m.id BETWEEN ? AND ? AND m.sent_at >= ?';

/** Users who received these messages privately, or who are mentioned in them, with their settings. */
export async function personal(db: Knex, { realmId, from, to, since }: Range): Promise<(Missed & Reader)[]> {
  const within = [realmId, from, to, since];
  const [[privately, mentions]] = (await db.raw(
    `SELECT ${COLUMNS} FROM chat_messages m ` +
      'JOIN chat_subscriptions s ON s.recipient_id = m.recipient_id AND s.is_active ' +
      `JOIN chat_users u ON u.id = s.user_id WHERE ${WITHIN} AND m.topic_id IS NULL AND ${PEOPLE}; ` +
      `SELECT ${COLUMNS} FROM chat_messages m JOIN chat_flags f ON f.message_id = m.id AND f.flag = ? ` +
      // Message ids are unique only within an organisation.
      'JOIN chat_users u ON u.id = f.user_id AND u.realm_id = m.realm_id ' +
      `WHERE ${WITHIN} AND m.topic_id IS NOT NULL AND ${PEOPLE}`,
    [...within, FLAGS.mentioned, ...within],
  )) as [[CandidateRow[], CandidateRow[]]];
  return [...privately, ...mentions].map((row) => ({ ...row, ...readerOf(row), realmId }));
}

type CalledRow = CandidateRow & Pick<CalledByTopic, 'topicId'> & Omit<SubscriberRow, keyof ReaderRow>;

/** Who takes part in a topic that one of these messages mentions, and what they want of the stream. */
export async function called(db: Knex, { realmId, from, to, since }: Range): Promise<(CalledByTopic & Subscriber)[]> {
  const [rows] = (await db.raw(
    `SELECT ${COLUMNS}, ${OF_SUBSCRIPTION} FROM chat_messages m JOIN chat_flags f ON f.message_id = m.id AND f.flag = ? ` +
      'JOIN chat_users u ON u.id = f.user_id AND u.realm_id = m.realm_id ' +
      'JOIN chat_subscriptions s ON s.recipient_id = m.recipient_id AND s.user_id = u.id AND s.is_active ' +
      `WHERE ${WITHIN} AND m.topic_id IS NOT NULL AND ${PEOPLE}`,
    [FLAGS.wildcard_mentioned, realmId, from, to, since],
  )) as [CalledRow[]];
  return rows.map((row) => ({ ...row, ...subscriberOf(row), realmId }));
}

export const streamMessages = (db: Knex, { realmId, from, to, since }: Range): Promise<StreamMessage[]> =>
  db('chat_messages')
    .where({ realm_id: realmId })
    .whereBetween('id', [from, to])
    .where('sent_at', '>=', since)
    .whereNotNull('topic_id')
    .orderBy('id')
    .select('id', 'traits', {
      recipientId: 'recipient_id',
      topicId: 'topic_id',
      senderId: 'sender_id',
      sentAt: 'sent_at',
    });

type Flag = 0 | 1;

interface SubscriberRow extends ReaderRow {
  readonly streamId: number;
  readonly isMuted: Flag;
  readonly email: Flag | null;
  readonly push: Flag | null;
  readonly wildcard: Flag | null;
}

const orNull = (value: Flag | null): boolean | null => (value === null ? null : value === 1);

const SUBSCRIBER = `SELECT u.settings, u.timezone, s.user_id AS userId, ${OF_SUBSCRIPTION} FROM `;
const OF_STREAMS = 's.recipient_id IN (?) AND s.is_active AND u.is_active AND u.bot_type IS NULL';
/** A setting is stored only if it is not its default: nearly nobody has this one. */
const PUSHES_STREAMS = `u.settings LIKE '%"enable_stream_push_notifications":true%'`;
/** Matches nothing. */
const NONE = [0];

/**
 * Subscribers of these streams whom some of the messages may have to be mailed or pushed to: by their own setting of the
 * stream, or else by their general one. Each part begins with the few who have the setting, or a device.
 */
export async function subscribersOf(
  db: Knex,
  realmId: RealmId,
  messages: readonly StreamMessage[],
): Promise<Subscriber[]> {
  const idsOf = (some: readonly StreamMessage[]) => [...new Set(some.map(({ recipientId }) => recipientId))];
  const all = idsOf(messages);
  const calling = idsOf(messages.filter(({ traits }) => (traits & TRAITS.wildcard) !== 0));
  const [rows] = (await db.raw(
    `${SUBSCRIBER} chat_subscriptions s JOIN chat_users u ON u.id = s.user_id WHERE s.mailed_recipient_id IN (?) AND ${OF_STREAMS} ` +
      `UNION ${SUBSCRIBER} chat_users u JOIN chat_subscriptions s ON s.user_id = u.id ` +
      `WHERE u.realm_id = ? AND u.mails_streams = 1 AND s.notify_email IS NULL AND ${OF_STREAMS} ` +
      `UNION ${SUBSCRIBER} chat_push_subscriptions d JOIN chat_users u ON u.id = d.user_id ` +
      `JOIN chat_subscriptions s ON s.user_id = u.id WHERE d.realm_id = ? AND ${OF_STREAMS} ` +
      `AND (s.notify_push OR (s.notify_push IS NULL AND ${PUSHES_STREAMS}) OR s.recipient_id IN (?))`,
    [all, all, realmId, all, realmId, all, calling.length > 0 ? calling : NONE],
  )) as [SubscriberRow[]];
  return rows.map(subscriberOf);
}

/** Who has muted the senders: they are told of nothing that these write. */
export const mutersOf = (db: Knex, realmId: RealmId, found: readonly Pick<Missed, 'senderId'>[]): Promise<Muters> =>
  mutersAmong(db, realmId, [...new Set(found.map(({ senderId }) => senderId as UserId))]);

const subscriberOf = ({ streamId, isMuted, email, push, wildcard, ...reader }: SubscriberRow): Subscriber => ({
  ...readerOf(reader),
  streamId,
  isMuted: isMuted === 1,
  email: orNull(email),
  push: orNull(push),
  wildcard: orNull(wildcard),
});

export interface SubscriberPage {
  readonly people: readonly Subscriber[];
  /** Where the next page begins; undefined if there is none. */
  readonly last: UserId | undefined;
}

/** At most so many subscribers of a stream, in the order of their ids. */
export async function subscribersAfter(
  db: Knex,
  streamId: number,
  after: UserId,
  limit: number,
): Promise<SubscriberPage> {
  const [rows] = (await db.raw(
    `${SUBSCRIBER.replace('SELECT', 'SELECT u.is_active AND u.bot_type IS NULL AS isPerson,')} ` +
      '(SELECT * FROM chat_subscriptions WHERE recipient_id = ? AND is_active AND user_id > ? ORDER BY user_id LIMIT ?) s ' +
      'JOIN chat_users u ON u.id = s.user_id ORDER BY s.user_id',
    [streamId, after, limit],
  )) as [(SubscriberRow & { readonly isPerson: Flag })[]];
  return {
    people: rows.filter(({ isPerson }) => isPerson === 1).map(subscriberOf),
    last: rows.length < limit ? undefined : rows.at(-1)!.userId,
  };
}

/** What people want of these topics: all, or these. */
export async function policiesOf(
  db: Knex,
  topicIds: readonly number[],
  userIds?: readonly UserId[],
): Promise<TopicPolicyOf[]> {
  const rows = (await db({ t: 'chat_topics' })
    .joinRaw('JOIN chat_muted_topics m ON m.stream_id = t.recipient_id AND m.topic_key = t.name_key')
    .join({ u: 'chat_users' }, 'u.id', 'm.user_id')
    .whereIn('t.id', topicIds)
    .modify((query) => {
      if (userIds) void query.whereIn('m.user_id', userIds);
    })
    .where('u.is_active', true)
    .whereNull('u.bot_type')
    .select('m.policy', 'u.settings', 'u.timezone', { userId: 'm.user_id', topicId: 't.id' })) as (ReaderRow &
    Pick<TopicPolicyOf, 'policy' | 'topicId'>)[];
  return rows.map(({ policy, topicId, ...reader }) => ({ ...readerOf(reader), policy, topicId }));
}

/** Finds messages that somebody may have missed, with the people and what they want. */
import type { Knex } from 'knex';
import { FLAGS, TRAITS } from '../../model/messages/message';
import type { Missed } from '../../model/missed/missed-messages';
import type { Reader, StreamMessage, Subscriber, TopicPolicyOf } from '../../model/missed/missed-rules';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import type { StoredSettings } from '../../model/users/user-settings';

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

/** A setting is stored only if it is not its default: nearly nobody has these. */
const wantsStreams = (way: 'email' | 'push') => `%"enable_stream_${way}_notifications":true%`;

/** By their own setting of the stream, or else by their general one. */
const wants = (way: 'email' | 'push') => (either: Knex.QueryBuilder) =>
  void either
    .where(`s.notify_${way}`, true)
    .orWhere((general) => void general.whereNull(`s.notify_${way}`).where('u.settings', 'like', wantsStreams(way)));

/** Subscribers of these streams whom some of the messages may have to be mailed or pushed to. */
export async function subscribersOf(
  db: Knex,
  realmId: RealmId,
  messages: readonly StreamMessage[],
): Promise<Subscriber[]> {
  const idsOf = (some: readonly StreamMessage[]) => [...new Set(some.map(({ recipientId }) => recipientId))];
  const calling = idsOf(messages.filter(({ traits }) => (traits & TRAITS.wildcard) !== 0));
  const rows = (await db({ s: 'chat_subscriptions' })
    .join({ u: 'chat_users' }, 'u.id', 's.user_id')
    .whereIn('s.recipient_id', idsOf(messages))
    .where({ 's.is_active': true, 'u.is_active': true })
    .whereNull('u.bot_type')
    .where(
      (either) =>
        void either
          .where(wants('email'))
          .orWhere(
            (pushed) =>
              void pushed
                .whereRaw('s.user_id IN (SELECT d.user_id FROM chat_push_subscriptions d WHERE d.realm_id = ?)', [
                  realmId,
                ])
                .where((how) => void how.where(wants('push')).orWhereIn('s.recipient_id', calling)),
          ),
    )
    .select('u.settings', 'u.timezone', {
      streamId: 's.recipient_id',
      userId: 's.user_id',
      isMuted: 's.is_muted',
      email: 's.notify_email',
      push: 's.notify_push',
      wildcard: 's.notify_wildcard',
    })) as SubscriberRow[];
  return rows.map(({ streamId, isMuted, email, push, wildcard, ...reader }) => ({
    ...readerOf(reader),
    streamId,
    isMuted: isMuted === 1,
    email: orNull(email),
    push: orNull(push),
    wildcard: orNull(wildcard),
  }));
}

/** What people want of these topics. */
export async function policiesOf(db: Knex, topicIds: readonly number[]): Promise<TopicPolicyOf[]> {
  const rows = (await db({ t: 'chat_topics' })
    .joinRaw('JOIN chat_muted_topics m ON m.stream_id = t.recipient_id AND m.topic_key = t.name_key')
    .join({ u: 'chat_users' }, 'u.id', 'm.user_id')
    .whereIn('t.id', topicIds)
    .where('u.is_active', true)
    .whereNull('u.bot_type')
    .select('m.policy', 'u.settings', 'u.timezone', { userId: 'm.user_id', topicId: 't.id' })) as (ReaderRow &
    Pick<TopicPolicyOf, 'policy' | 'topicId'>)[];
  return rows.map(({ policy, topicId, ...reader }) => ({ ...readerOf(reader), policy, topicId }));
}

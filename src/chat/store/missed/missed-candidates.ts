/** Finds messages that somebody may have missed, with the people and what they want. */
import type { Knex } from 'knex';
import { FLAGS, TRAITS } from '../../model/messages/message';
import type { Missed } from '../../model/missed/missed-messages';
import type { StreamMessage, Subscriber, TopicPolicyOf } from '../../model/missed/missed-rules';
import type { RealmId } from '../../model/organisation/realm';
import type { StoredSettings } from '../../model/users/user-settings';

export interface Range {
  readonly realmId: RealmId;
  readonly from: number;
  readonly to: number;
  /** Older messages are skipped; in Unix seconds. */
  readonly since: number;
}

type CandidateRow = Omit<Missed, 'realmId'> & { readonly settings: string };

const COLUMNS =
  'u.id AS userId, m.id, m.recipient_id AS recipientId, m.topic_id AS topicId, m.sender_id AS senderId, m.traits, ' +
  'm.sent_at AS sentAt, u.settings';
const PEOPLE = 'u.is_active AND u.bot_type IS NULL AND u.id <> m.sender_id';
const WITHIN = 'm.realm_id = ? AND m.id BETWEEN ? AND ? AND m.sent_at >= ?';

/** Users who received these messages privately, or who are mentioned in them, with their settings. */
export async function personal(
  db: Knex,
  { realmId, from, to, since }: Range,
): Promise<(Missed & { settings: StoredSettings })[]> {
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
  return [...privately, ...mentions].map((row) => ({
    ...row,
    realmId,
    settings: JSON.parse(row.settings) as StoredSettings,
  }));
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

type SubscriberRow = Omit<Subscriber, 'settings' | 'isMuted' | 'push' | 'wildcard'> & {
  readonly isMuted: number;
  readonly push: number | null;
  readonly wildcard: number | null;
  readonly settings: string;
};

/** A setting is stored only if it is not its default: nearly nobody has this one. */
const WANTS_STREAMS = '%"enable_stream_push_notifications":true%';

/** Subscribers of these streams who have a device, if some of the messages may have to be pushed to them. */
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
    .whereRaw('s.user_id IN (SELECT d.user_id FROM chat_push_subscriptions d WHERE d.realm_id = ?)', [realmId])
    .where(
      (either) =>
        void either
          .where('s.notify_push', true)
          .orWhere((general) => void general.whereNull('s.notify_push').where('u.settings', 'like', WANTS_STREAMS))
          .orWhereIn('s.recipient_id', calling),
    )
    .select('u.settings', {
      streamId: 's.recipient_id',
      userId: 's.user_id',
      isMuted: 's.is_muted',
      push: 's.notify_push',
      wildcard: 's.notify_wildcard',
    })) as SubscriberRow[];
  return rows.map(({ settings, isMuted, push, wildcard, ...row }) => ({
    ...row,
    isMuted: isMuted === 1,
    push: push === null ? null : push === 1,
    wildcard: wildcard === null ? null : wildcard === 1,
    settings: JSON.parse(settings) as StoredSettings,
  }));
}

/** Policies of people with devices about these topics. */
export const policiesOf = (db: Knex, realmId: RealmId, topicIds: readonly number[]): Promise<TopicPolicyOf[]> =>
  db({ t: 'chat_topics' })
    .joinRaw('JOIN chat_muted_topics m ON m.stream_id = t.recipient_id AND m.topic_key = t.name_key')
    .join({ u: 'chat_users' }, 'u.id', 'm.user_id')
    .whereIn('t.id', topicIds)
    .where('u.is_active', true)
    .whereRaw('m.user_id IN (SELECT d.user_id FROM chat_push_subscriptions d WHERE d.realm_id = ?)', [realmId])
    .select('m.policy', { userId: 'm.user_id', topicId: 't.id', settings: 'u.settings' })
    .then((rows: (Omit<TopicPolicyOf, 'settings'> & { settings: string })[]) =>
      rows.map((row) => ({ ...row, settings: JSON.parse(row.settings) as StoredSettings })),
    );

/** Looks up what narrows name: topics, conversations, public streams and what is muted. */
import type { Knex } from 'knex';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';

export async function topicIds(db: Knex, name: string, recipientIds: readonly number[]): Promise<number[]> {
  if (recipientIds.length === 0) return [];
  return (await db('chat_topics')
    .whereIn('recipient_id', recipientIds)
    .whereRaw('name_key = LOWER(?)', [name])
    .pluck('id')) as number[];
}

export async function publicStreamIds(db: Knex, realmId: RealmId): Promise<number[]> {
  return (await db('chat_streams')
    .where({ realm_id: realmId, is_private: false, is_active: true })
    .pluck('id')) as number[];
}

/** Conversations of three and more in which both take part. */
export async function sharedGroupIds(db: Knex, userId: UserId, otherId: UserId): Promise<number[]> {
  const rows = (await db('chat_subscriptions as s')
    .join('chat_recipients as r', 'r.id', 's.recipient_id')
    .join('chat_subscriptions as o', 'o.recipient_id', 's.recipient_id')
    .where({ 's.user_id': userId, 'o.user_id': otherId })
    .whereNotNull('r.members')
    .select('r.id', 'r.members')) as { id: number; members: string }[];
  // Many members stand as a hash.
  return rows.filter(({ members }) => members.startsWith('#') || members.split(',').length > 2).map(({ id }) => id);
}

export async function mutedTopicIds(db: Knex, userId: UserId): Promise<number[]> {
  return (await db('chat_muted_topics as m')
    .join('chat_topics as t', (on) => void on.on('t.recipient_id', 'm.stream_id').andOn('t.name_key', 'm.topic_key'))
    .where('m.user_id', userId)
    .pluck('t.id')) as number[];
}

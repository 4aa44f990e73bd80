/** Rows of chat_muted_topics: the topics that a user has muted, unmuted or follows. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import type { StreamId } from '../../model/streams/stream';
import { TOPIC_POLICY, type TopicPolicies, type TopicPolicy, type UserTopic } from '../../model/streams/topic-policy';
import type { UserId } from '../../model/users/user';
import { put } from '../rows';

const TABLE = 'chat_muted_topics';

export interface TopicRef {
  readonly userId: UserId;
  readonly streamId: StreamId;
  readonly topic: string;
}

const rowOf = (db: Knex, { userId, streamId, topic }: TopicRef): Knex.QueryBuilder =>
  db(TABLE).where({ user_id: userId, stream_id: streamId }).whereRaw('topic_key = LOWER(?)', [topic]);

export async function policyOf(db: Knex, ref: TopicRef): Promise<TopicPolicy> {
  const row = (await rowOf(db, ref).first('policy')) as { policy: TopicPolicy } | undefined;
  return row?.policy ?? TOPIC_POLICY.none;
}

/** For whoever holds the user's lock. A known topic keeps its spelling. */
export async function set(db: Knex, ref: TopicRef, policy: TopicPolicy, updatedAt: number): Promise<void> {
  if (policy === TOPIC_POLICY.none) {
    await rowOf(db, ref).delete();
    return;
  }
  const key = { user_id: ref.userId, stream_id: ref.streamId, topic: ref.topic };
  await put(db(TABLE), key, { policy, updated_at: updatedAt });
}

type Topic = Omit<TopicRef, 'userId'>;

const rowsOf = (db: Knex, userIds: readonly UserId[], { streamId, topic }: Topic): Knex.QueryBuilder =>
  db(TABLE).whereIn('user_id', userIds).where({ stream_id: streamId }).whereRaw('topic_key = LOWER(?)', [topic]);

/** The policies of those of these users who have one. */
export async function policiesOf(
  db: Knex,
  userIds: readonly UserId[],
  topic: Topic,
): Promise<ReadonlyMap<UserId, TopicPolicy>> {
  const rows = (await rowsOf(db, userIds, topic).select('user_id', 'policy')) as {
    user_id: UserId;
    policy: TopicPolicy;
  }[];
  return new Map(rows.map((row) => [row.user_id, row.policy]));
}

export async function removeOf(db: Knex, userIds: readonly UserId[], topic: Topic): Promise<void> {
  await rowsOf(db, userIds, topic).delete();
}

/** Like `set`, for whoever holds the locks of all these users. */
export async function setOf(
  db: Knex,
  userIds: readonly UserId[],
  { streamId, topic }: Topic,
  { policy, updatedAt }: { readonly policy: TopicPolicy; readonly updatedAt: number },
): Promise<void> {
  const columns = { policy, updated_at: updatedAt };
  await db(TABLE)
    .insert(userIds.map((userId) => ({ user_id: userId, stream_id: streamId, topic, ...columns })))
    .onConflict()
    .merge(columns);
}

interface Row {
  stream_id: StreamId;
  name: string;
  topic: string;
  policy: TopicPolicy;
  updated_at: number;
}

export const usersOf = (db: Knex, streamId: StreamId, topic: string): Promise<UserId[]> =>
  db(TABLE)
    .where({ stream_id: streamId })
    .whereRaw('topic_key = LOWER(?)', [topic])
    .orderBy('user_id')
    .pluck('user_id');

/** In streams that are not archived, ordered by the names of stream and topic. */
export const ofUserRead = (userId: UserId): Read<UserTopic[]> =>
  readOf(
    'SELECT m.stream_id, s.name, m.topic, m.policy, m.updated_at FROM chat_muted_topics m ' +
      'JOIN chat_streams s ON s.id = m.stream_id WHERE m.user_id = ? AND s.is_active ' +
      'AND NOT s.is_archived ORDER BY s.name, m.topic',
    [userId],
    (rows: readonly Row[]) =>
      rows.map((row) => ({
        streamId: row.stream_id,
        streamName: row.name,
        topic: row.topic,
        policy: row.policy,
        updatedAt: row.updated_at,
      })),
  );

/** Of the topics that have had messages. */
export const policiesRead = (userId: UserId): Read<TopicPolicies> =>
  readOf(
    'SELECT t.id, m.policy FROM chat_muted_topics m JOIN chat_topics t ON t.recipient_id = m.stream_id ' +
      'AND t.name_key = m.topic_key WHERE m.user_id = ?',
    [userId],
    (rows: readonly { id: number; policy: TopicPolicy }[]) => new Map(rows.map(({ id, policy }) => [id, policy])),
  );

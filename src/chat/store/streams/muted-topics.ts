/** Rows of chat_muted_topics. */
import type { Knex } from 'knex';
import type { StreamId } from '../../model/streams/stream';
import type { UserId } from '../../model/users/user';

export interface MutedTopic {
  readonly userId: UserId;
  readonly streamId: StreamId;
  readonly topic: string;
}

/** Returns false if it was already muted. */
export async function insert(db: Knex, muted: MutedTopic): Promise<boolean> {
  const [reply] = (await db.raw('INSERT IGNORE INTO chat_muted_topics (user_id, stream_id, topic) VALUES (?, ?, ?)', [
    muted.userId,
    muted.streamId,
    muted.topic,
  ])) as [{ affectedRows: number }];
  return reply.affectedRows > 0;
}

/** Returns false if it was not muted. */
export async function remove(db: Knex, { userId, streamId, topic }: MutedTopic): Promise<boolean> {
  const rows = db('chat_muted_topics').where({ user_id: userId, stream_id: streamId });
  return (await rows.whereRaw('topic_key = LOWER(?)', [topic]).delete()) > 0;
}

/** Pairs of stream and topic name, in active streams. */
export async function ofUser(db: Knex, userId: UserId): Promise<[string, string][]> {
  const rows = (await db('chat_muted_topics as m')
    .join('chat_streams as s', 's.id', 'm.stream_id')
    .where({ 'm.user_id': userId, 's.is_active': true })
    .orderBy(['s.name', 'm.topic'])
    .select('s.name', 'm.topic')) as { name: string; topic: string }[];
  return rows.map(({ name, topic }) => [name, topic]);
}

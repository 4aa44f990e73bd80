/** Rows of chat_muted_topics. */
import type { Knex } from 'knex';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
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
export const ofUserRead = (userId: UserId): Read<[string, string][]> =>
  readOf(
    'SELECT s.name, m.topic FROM chat_muted_topics m JOIN chat_streams s ON s.id = m.stream_id ' +
      'WHERE m.user_id = ? AND s.is_active ORDER BY s.name, m.topic',
    [userId],
    (rows: readonly { name: string; topic: string }[]) => rows.map(({ name, topic }) => [name, topic]),
  );

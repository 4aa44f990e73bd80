/** A stream's topics that the user may read, newest first. */
import type { Database } from '../../../kernel/mysql/pool';
import type { User } from '../../model/users/user';
import * as receptions from '../../store/streams/receptions';
import * as history from '../../store/streams/stream-history';
import { accessStreamById, type Access } from './access-stream';

export interface ListedTopic {
  readonly name: string;
  readonly max_id: number;
}

export async function listTopics(db: Database, by: User, streamId: number): Promise<ListedTopic[]> {
  const access = await accessStreamById(db, by, streamId);
  const { stream } = access;
  const ends = new Map<number, history.TopicEnd>();
  for (const range of await readableRanges(db, by, access)) {
    for (const end of await history.topicEnds(db, by.realmId, stream.id, range)) {
      if (end.maxId > (ends.get(end.topicId)?.maxId ?? -1)) ends.set(end.topicId, end);
    }
  }
  return [...ends.values()].sort((a, b) => b.maxId - a.maxId).map(({ name, maxId }) => ({ name, max_id: maxId }));
}

/** Ranges of message ids that the user may read. With protected history, only those received while subscribed. */
export async function readableRanges(
  db: Database,
  by: User,
  { stream, subscription }: Access,
): Promise<[number, number][]> {
  if (stream.isHistoryPublic) return [[0, Number.MAX_SAFE_INTEGER]];
  const left = await receptions.ranges(db, by.id, stream.id);
  return subscription ? [...left, [subscription.fromId, Number.MAX_SAFE_INTEGER]] : left;
}

/** Topics of a stream, newest first, as far as the user may read them. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import * as receptions from '../store/receptions';
import * as history from '../store/stream-history';
import { accessStreamById } from './access-stream';

export interface ListedTopic {
  readonly name: string;
  readonly max_id: number;
}

export async function listTopics({ mysql }: Kernel, by: User, streamId: number): Promise<ListedTopic[]> {
  const { stream, subscription } = await accessStreamById(mysql, by, streamId);
  // Where history is not for those who come later, only what was received while they were there.
  const ranges: [number, number][] = stream.isHistoryPublic
    ? [[0, Number.MAX_SAFE_INTEGER]]
    : [
        ...(await receptions.ranges(mysql, by.id, stream.id)),
        ...(subscription ? [[subscription.fromId, Number.MAX_SAFE_INTEGER] satisfies [number, number]] : []),
      ];
  const ends = new Map<number, history.TopicEnd>();
  for (const range of ranges) {
    for (const end of await history.topicEnds(mysql, by.realmId, stream.id, range)) {
      if (end.maxId > (ends.get(end.topicId)?.maxId ?? -1)) ends.set(end.topicId, end);
    }
  }
  return [...ends.values()].sort((a, b) => b.maxId - a.maxId).map(({ name, maxId }) => ({ name, max_id: maxId }));
}

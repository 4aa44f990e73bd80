/** A stream whose messages somebody wants to mark, with a topic of it: everything a mark has to know, in one round trip. */
import type { Database } from '../../kernel/mysql/pool';
import { invalidStreamId } from '../model/stream-faults';
import { maySee } from '../model/stream-policy';
import type { User } from '../model/user';
import * as readMarks from '../store/read-marks';

/** The topic's id, if anything in it was received; without a name, of none. */
export async function streamToMark(
  db: Database,
  by: User,
  streamId: number,
  topic?: string,
): Promise<number | undefined> {
  const { stream, isSubscribed, topicId, hasReceived } = await readMarks.view(db, by, { streamId, topic });
  if (!stream || !maySee(by, stream, isSubscribed)) throw invalidStreamId();
  return hasReceived ? topicId : undefined;
}

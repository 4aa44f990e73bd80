/** A stream whose messages somebody wants to mark, with a topic of it: everything a mark has to know, in one round trip. */
import type { Database } from '../../kernel/mysql/pool';
import type { Place } from '../model/read-state';
import { invalidStreamId } from '../model/stream-faults';
import { maySee } from '../model/stream-policy';
import type { User } from '../model/user';
import * as readMarks from '../store/read-marks';

export interface StreamToMark {
  readonly received: Place['received'];
  /** Undefined where there is no such topic, or none was asked for. */
  readonly topicId: number | undefined;
}

export async function streamToMark(db: Database, by: User, streamId: number, topic = ''): Promise<StreamToMark> {
  const { stream, isSubscribed, ...found } = await readMarks.view(db, by, { streamId, topic });
  if (!stream || !maySee(by, stream, isSubscribed)) throw invalidStreamId();
  return found;
}

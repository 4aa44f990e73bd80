/** Filters streams to those that a user may see: active, of the same organisation, and public or subscribed to. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Stream, StreamId } from '../../model/streams/stream';
import { maySee } from '../../model/streams/stream-policy';
import type { User } from '../../model/users/user';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';

export async function visibleStreams(db: Database, by: User, ids: readonly number[]): Promise<Stream[]> {
  const found = await streams.byIds(db, by.realmId, ids);
  const own = await subscriptions.among(db, ids as readonly StreamId[], [by.id]);
  const heard = new Set(own.filter(({ isActive }) => isActive).map(({ streamId }) => streamId));
  return found.filter((stream) => maySee(by, stream, heard.has(stream.id)));
}

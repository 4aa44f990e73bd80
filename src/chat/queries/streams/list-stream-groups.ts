/** The groups of default streams, which everyone but guests may see. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Wire } from '../../../kernel/text/wire';
import type { streamGroup } from '../../model/answers/organisation';
import { unknownStreamGroup } from '../../model/organisation/organisation-faults';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import { wireStream } from '../../model/streams/stream-wire';
import * as groups from '../../store/streams/stream-groups';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';

/** The database may be a transaction's. */
export async function listStreamGroups(db: Database, realmId: RealmId): Promise<Wire<typeof streamGroup>[]> {
  const all = await groups.list(db, realmId);
  const ids = [...new Set(all.flatMap(({ streamIds }) => streamIds))];
  const known = new Map((await streams.byIds(db, realmId, ids)).map((stream) => [stream.id, stream]));
  const first = await history.firstIds(db, realmId, ids);
  return all.map(({ id, name, description, streamIds }) => ({
    id,
    name,
    description,
    streams: streamIds.flatMap((streamId) => {
      const stream = known.get(streamId);
      return stream ? [wireStream(stream, first)] : [];
    }),
  }));
}

/** The streams of the named groups. */
export async function findGroupStreams(db: Database, realmId: RealmId, names: readonly string[]): Promise<StreamId[]> {
  if (names.length === 0) return [];
  const all = new Map((await groups.list(db, realmId)).map((group) => [group.name, group]));
  return names.flatMap((name) => {
    const group = all.get(name);
    if (!group) throw unknownStreamGroup(name);
    return group.streamIds;
  });
}

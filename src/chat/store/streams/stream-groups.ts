/** Rows of chat_stream_groups, and the streams of each. */
import type { Knex } from 'knex';
import { mapRead, readOf, runRead, together, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import type { StreamGroup } from '../../model/streams/stream-group';
import { grouped } from '../rows';

type Row = Omit<StreamGroup, 'streamIds'>;

/** Sorted by name, each with its streams. */
export function listRead(realmId: RealmId): Read<StreamGroup[]> {
  const all = together({
    rows: readOf(
      'SELECT id, name, description FROM chat_stream_groups WHERE realm_id = ? ORDER BY name',
      [realmId],
      (rows: readonly Row[]) => rows,
    ),
    streams: readOf(
      'SELECT s.group_id, s.stream_id FROM chat_stream_groups g JOIN chat_stream_group_streams s ON s.group_id = g.id ' +
        'WHERE g.realm_id = ? ORDER BY s.stream_id',
      [realmId],
      (rows: readonly { group_id: number; stream_id: StreamId }[]) =>
        grouped(rows.map((row) => [row.group_id, row.stream_id])),
    ),
  });
  return mapRead(all, ({ rows, streams }) => rows.map((row) => ({ ...row, streamIds: streams.get(row.id) ?? [] })));
}

export const list = (db: Knex, realmId: RealmId): Promise<StreamGroup[]> => runRead(db, listRead(realmId));

export async function insert(db: Knex, realmId: RealmId, group: Omit<StreamGroup, 'id'>): Promise<void> {
  const { name, description, streamIds } = group;
  const [id] = await db('chat_stream_groups').insert({ realm_id: realmId, name, description });
  await addStreams(db, id!, streamIds);
}

export async function update(db: Knex, { id, name, description }: Row): Promise<void> {
  await db('chat_stream_groups').where({ id }).update({ name, description });
}

export async function remove(db: Knex, id: number): Promise<void> {
  await db('chat_stream_groups').where({ id }).delete();
}

export async function addStreams(db: Knex, id: number, streamIds: readonly StreamId[]): Promise<void> {
  if (streamIds.length === 0) return;
  await db('chat_stream_group_streams').insert(streamIds.map((streamId) => ({ group_id: id, stream_id: streamId })));
}

export async function removeStreams(db: Knex, id: number, streamIds: readonly StreamId[]): Promise<void> {
  await db('chat_stream_group_streams').where({ group_id: id }).whereIn('stream_id', streamIds).delete();
}

/** Whether a stream is in any group. */
export async function hasStream(db: Knex, streamId: StreamId): Promise<boolean> {
  return (await db('chat_stream_group_streams').where({ stream_id: streamId }).first('group_id')) !== undefined;
}

/** Removes a stream from every group. */
export async function forgetStream(db: Knex, streamId: StreamId): Promise<void> {
  await db('chat_stream_group_streams').where({ stream_id: streamId }).delete();
}

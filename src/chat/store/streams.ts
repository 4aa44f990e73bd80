/** Rows of chat_streams. A stream and its recipient share one id. */
import type { Knex } from 'knex';
import type { RealmId } from '../model/realm';
import type { Stream, StreamId } from '../model/stream';

interface Row {
  id: number;
  realm_id: number;
  name: string;
  description: string;
  rendered_description: string;
  is_private: number;
  is_announcement_only: number;
  is_history_public: number;
  is_default: number;
  is_active: number;
  version: number;
  created_at: Date;
}

export function streamOf(row: Row): Stream {
  return {
    id: row.id as StreamId,
    realmId: row.realm_id as RealmId,
    name: row.name,
    description: row.description,
    renderedDescription: row.rendered_description,
    isPrivate: row.is_private === 1,
    isAnnouncementOnly: row.is_announcement_only === 1,
    isHistoryPublic: row.is_history_public === 1,
    isDefault: row.is_default === 1,
    isActive: row.is_active === 1,
    version: row.version,
    createdAt: row.created_at,
  };
}

export type NewStream = Omit<Stream, 'id' | 'isActive' | 'version' | 'createdAt'>;

export async function insert(db: Knex, stream: NewStream): Promise<StreamId> {
  const [id] = await db('chat_recipients').insert({ realm_id: stream.realmId });
  await db('chat_streams').insert({
    id,
    realm_id: stream.realmId,
    name: stream.name,
    description: stream.description,
    rendered_description: stream.renderedDescription,
    is_private: stream.isPrivate,
    is_announcement_only: stream.isAnnouncementOnly,
    is_history_public: stream.isHistoryPublic,
    is_default: stream.isDefault,
    created_at: db.raw('NOW(3)'),
  });
  return id as StreamId;
}

export async function byName(db: Knex, realmId: RealmId, name: string): Promise<Stream | undefined> {
  const row = (await db('chat_streams').where({ realm_id: realmId, name, is_active: true }).first()) as Row | undefined;
  return row && streamOf(row);
}

export async function byNames(db: Knex, realmId: RealmId, names: readonly string[]): Promise<Stream[]> {
  const rows = (await db('chat_streams').where({ realm_id: realmId, is_active: true }).whereIn('name', names)) as Row[];
  return rows.map(streamOf);
}

export async function byId(db: Knex, realmId: RealmId, id: number): Promise<Stream | undefined> {
  const row = (await db('chat_streams').where({ realm_id: realmId, id, is_active: true }).first()) as Row | undefined;
  return row && streamOf(row);
}

/** Begins a change of who hears these streams: senders wait until it has committed. Always in the order of the ids. */
export async function lockForAudience(db: Knex, ids: readonly StreamId[]): Promise<void> {
  const sorted = [...ids].sort((a, b) => a - b);
  await db('chat_streams').whereIn('id', sorted).orderBy('id').forUpdate().select('id');
  await db('chat_streams').whereIn('id', sorted).increment('version', 1);
}

/** Rows of chat_uploads, and their bytes in chunks. */
import type { Knex } from 'knex';
import { searchableId } from '../../../kernel/id';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

export interface Upload {
  readonly id: number;
  readonly realmId: RealmId;
  readonly ownerId: UserId;
  readonly token: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly createdAt: Date;
}

interface Row {
  id: number;
  realm_id: RealmId;
  owner_id: UserId;
  token: string;
  name: string;
  type: string;
  size: number;
  created_at: Date;
}

const uploadOf = (row: Row): Upload => ({
  id: row.id,
  realmId: row.realm_id,
  ownerId: row.owner_id,
  token: row.token,
  name: row.name,
  type: row.type,
  size: row.size,
  createdAt: row.created_at,
});

export async function insert(db: Knex, upload: Omit<Upload, 'id'>): Promise<number> {
  const [id] = await db('chat_uploads').insert({
    realm_id: upload.realmId,
    owner_id: upload.ownerId,
    token: upload.token,
    name: upload.name,
    type: upload.type,
    size: upload.size,
    created_at: upload.createdAt,
  });
  return id!;
}

export async function insertChunk(db: Knex, uploadId: number, place: number, bytes: Buffer): Promise<void> {
  await db('chat_upload_chunks').insert({ upload_id: uploadId, place, bytes });
}

export async function byTokens(db: Knex, realmId: RealmId, tokens: readonly string[]): Promise<Upload[]> {
  const rows = (await db('chat_uploads')
    .where({ realm_id: realmId })
    .whereIn('token', tokens.map(searchableId))) as Row[];
  return rows.map(uploadOf);
}

async function chunk(db: Knex, uploadId: number, place: number): Promise<Buffer | undefined> {
  const row = (await db('chat_upload_chunks').where({ upload_id: uploadId, place }).first('bytes')) as
    | { bytes: Buffer }
    | undefined;
  return row?.bytes;
}

/** Read one at a time, so that the whole file is never in memory. */
export async function* chunks(db: Knex, uploadId: number): AsyncGenerator<Buffer> {
  for (let place = 0; ; place += 1) {
    const bytes = await chunk(db, uploadId, place);
    if (!bytes) return;
    yield bytes;
  }
}

export async function ofOwner(db: Knex, realmId: RealmId, ownerId: UserId): Promise<Upload[]> {
  const rows = (await db('chat_uploads').where({ realm_id: realmId, owner_id: ownerId }).orderBy('id')) as Row[];
  return rows.map(uploadOf);
}

/** Total bytes that a user has uploaded. */
export async function spaceUsed(db: Knex, realmId: RealmId, ownerId: UserId): Promise<number> {
  const own = db('chat_uploads').where({ realm_id: realmId, owner_id: ownerId });
  const [row] = (await own.sum({ bytes: 'size' })) as [{ bytes: string | number | null }];
  return Number(row.bytes ?? 0);
}

/** Returns whether it existed. */
export async function remove(db: Knex, ownerId: UserId, id: number): Promise<boolean> {
  const isGone = (await db('chat_uploads').where({ owner_id: ownerId, id }).delete()) > 0;
  if (isGone) await db('chat_upload_links').where({ upload_id: id }).delete();
  return isGone;
}

/** Deletes a file that no message links to. */
export async function forget(db: Knex, realmId: RealmId, id: number): Promise<void> {
  const links = db('chat_upload_links').where({ upload_id: id }).select(db.raw('1'));
  await db('chat_uploads').where({ realm_id: realmId, id }).whereNotExists(links).delete();
}

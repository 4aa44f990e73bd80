/** Rows of chat_exports, the chunks of their archives, and the public content that goes into them, page by page. */
import type { Knex } from 'knex';
import type { Message } from '../../model/messages/message';
import { MAX_LISTED_EXPORTS, type ExportState, type RealmExport } from '../../model/organisation/export';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { messageOf } from '../messages/messages';
import { readAll, readColumn } from '../rows';
import type { Upload } from '../uploads/uploads';

const FIELDS: Readonly<Record<keyof RealmExport, string>> = {
  id: 'id',
  realmId: 'realm_id',
  actingUserId: 'acting_user_id',
  state: 'state',
  attempt: 'attempt',
  progress: 'progress',
  size: 'size',
  sha256: 'sha256',
  createdAt: 'created_at',
  endedAt: 'ended_at',
  deletedAt: 'deleted_at',
};

/** The newest exports, oldest first. */
export async function list(db: Knex, realmId: RealmId): Promise<RealmExport[]> {
  const newest = db('chat_exports').where({ realm_id: realmId }).orderBy('id', 'desc').limit(MAX_LISTED_EXPORTS);
  return ((await newest.select(FIELDS)) as RealmExport[]).reverse();
}

export async function byId(db: Knex, realmId: RealmId, id: number): Promise<RealmExport | undefined> {
  return db('chat_exports').where({ realm_id: realmId, id }).first(FIELDS);
}

/** Locks an export for a change. */
export async function lock(db: Knex, realmId: RealmId, id: number): Promise<RealmExport | undefined> {
  return db('chat_exports').where({ realm_id: realmId, id }).forUpdate().first(FIELDS);
}

export async function insert(db: Knex, realmId: RealmId, actingUserId: UserId, now: Date): Promise<number> {
  const row = { realm_id: realmId, acting_user_id: actingUserId, state: 'pending', created_at: now, touched_at: now };
  const [id] = await db('chat_exports').insert(row);
  return id!;
}

export interface ExportChange {
  readonly state?: ExportState;
  readonly attempt?: number;
  readonly progress?: number;
  readonly size?: number;
  readonly sha256?: string;
  readonly ended_at?: Date;
  readonly deleted_at?: Date;
}

export async function update(db: Knex, id: number, change: ExportChange, now: Date): Promise<void> {
  await db('chat_exports')
    .where({ id })
    .update({ ...change, touched_at: now });
}

type Attempt = Pick<RealmExport, 'id' | 'attempt'>;

/** Records a worker's progress. Returns whether the worker still owns the export. */
export async function advance(db: Knex, { id, attempt }: Attempt, progress: number, now: Date): Promise<boolean> {
  const own = db('chat_exports').where({ id, attempt, state: 'pending' });
  return (await own.update({ progress, touched_at: now })) > 0;
}

/** Writes a chunk if the worker still owns the export. Returns whether it did. */
export async function insertChunk(db: Knex, { id, attempt }: Attempt, place: number, bytes: Buffer): Promise<boolean> {
  const [{ affectedRows }] = (await db.raw(
    'INSERT INTO chat_export_chunks (export_id, attempt, place, bytes) ' +
      "SELECT id, attempt, ?, ? FROM chat_exports WHERE id = ? AND attempt = ? AND state = 'pending'",
    [place, bytes, id, attempt],
  )) as [{ affectedRows: number }];
  return affectedRows > 0;
}

export const chunk = (db: Knex, { id, attempt }: Attempt, place: number): Promise<Buffer | undefined> =>
  readColumn(db('chat_export_chunks').where({ export_id: id, attempt, place }), 'bytes');

/** Larger deletes would block other statements. */
const CHUNKS_AT_ONCE = 20;

export async function removeChunks(db: Knex, id: number): Promise<void> {
  const some = () => db('chat_export_chunks').where({ export_id: id }).limit(CHUNKS_AT_ONCE);
  while ((await some().delete()) === CHUNKS_AT_ONCE);
}

/** Exports that failed or were deleted since a time but still have chunks, because a process died in between. */
export async function withLeftovers(db: Knex, since: Date): Promise<number[]> {
  return (await db('chat_exports as e')
    .whereIn('e.state', ['failed', 'deleted'])
    .where('e.touched_at', '>=', since)
    .whereExists(db('chat_export_chunks as c').whereRaw('c.export_id = e.id').select(db.raw('1')))
    .limit(100)
    .pluck('e.id')) as number[];
}

/** Exports of any organisation: done before one time, or pending and untouched since another. */
export async function outdated(db: Knex, doneBefore: Date, touchedBefore: Date): Promise<RealmExport[]> {
  return db('chat_exports')
    .where((any) => void any.where({ state: 'done' }).where('touched_at', '<', doneBefore))
    .orWhere((any) => void any.where({ state: 'pending' }).where('touched_at', '<', touchedBefore))
    .orderBy('id')
    .limit(100)
    .select(FIELDS);
}

/** Deletes records that are no longer listed. */
export async function forgetOlder(db: Knex, realmId: RealmId, firstListed: number): Promise<void> {
  await db('chat_exports')
    .where({ realm_id: realmId })
    .where('id', '<', firstListed)
    .whereIn('state', ['failed', 'deleted'])
    .delete();
}

/** Messages in a range of ids. The same statement checks the stream, so one closed meanwhile yields nothing. */
export async function messages(db: Knex, realmId: RealmId, from: number, to: number): Promise<Message[]> {
  const within = db('chat_messages as m')
    .join('chat_streams as s', 's.id', 'm.recipient_id')
    .where({ 'm.realm_id': realmId, 's.is_active': true, 's.is_private': false })
    .whereBetween('m.id', [from, to]);
  return readAll(within.orderBy('m.id').select('m.*'), messageOf);
}

export type LinkedFile = Pick<Upload, 'id' | 'ownerId' | 'token' | 'name' | 'type' | 'size' | 'createdAt'>;

/** Files after an id, ordered by id. */
export async function files(db: Knex, realmId: RealmId, after: number, most: number): Promise<LinkedFile[]> {
  const isPublic = db('chat_upload_links as l')
    .join('chat_messages as m', (on) => void on.on('m.realm_id', 'l.realm_id').andOn('m.id', 'l.message_id'))
    .join('chat_streams as s', 's.id', 'm.recipient_id')
    .whereRaw('l.upload_id = u.id')
    .where({ 's.is_active': true, 's.is_private': false })
    .select(db.raw('1'));
  return (await db('chat_uploads as u')
    .where('u.realm_id', realmId)
    .where('u.id', '>', after)
    .whereExists(isPublic)
    .orderBy('u.id')
    .limit(most)
    .select('u.id', 'u.token', 'u.name', 'u.type', 'u.size', {
      ownerId: 'u.owner_id',
      createdAt: 'u.created_at',
    })) as LinkedFile[];
}

/** Rows of chat_exports, and the chunks of their archives. */
import type { Knex } from 'knex';
import { MAX_LISTED_EXPORTS, type ExportState, type RealmExport } from '../../model/organisation/export';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';

interface Row {
  id: number;
  realm_id: RealmId;
  acting_user_id: UserId;
  state: ExportState;
  attempt: number;
  progress: number;
  size: number | null;
  sha256: string | null;
  created_at: Date;
  ended_at: Date | null;
  deleted_at: Date | null;
}

const exportOf = (row: Row): RealmExport => ({
  id: row.id,
  realmId: row.realm_id,
  actingUserId: row.acting_user_id,
  state: row.state,
  attempt: row.attempt,
  progress: row.progress,
  size: row.size,
  sha256: row.sha256,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  deletedAt: row.deleted_at,
});

/** The newest exports, oldest first. */
export async function list(db: Knex, realmId: RealmId): Promise<RealmExport[]> {
  const rows = (await db('chat_exports')
    .where({ realm_id: realmId })
    .orderBy('id', 'desc')
    .limit(MAX_LISTED_EXPORTS)) as Row[];
  return rows.map(exportOf).reverse();
}

export async function byId(db: Knex, realmId: RealmId, id: number): Promise<RealmExport | undefined> {
  const row = (await db('chat_exports').where({ realm_id: realmId, id }).first()) as Row | undefined;
  return row && exportOf(row);
}

/** Locks an export for a change. */
export async function lock(db: Knex, realmId: RealmId, id: number): Promise<RealmExport | undefined> {
  const row = (await db('chat_exports').where({ realm_id: realmId, id }).forUpdate().first()) as Row | undefined;
  return row && exportOf(row);
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

/** Records a worker's progress. Returns whether the worker still owns the export. */
export async function advance(
  db: Knex,
  { id, attempt }: Pick<RealmExport, 'id' | 'attempt'>,
  progress: number,
  now: Date,
): Promise<boolean> {
  const own = db('chat_exports').where({ id, attempt, state: 'pending' });
  return (await own.update({ progress, touched_at: now })) > 0;
}

type Piece = Pick<RealmExport, 'id' | 'attempt'>;

/** Writes a chunk if the worker still owns the export. Returns whether it did. */
export async function insertChunk(db: Knex, { id, attempt }: Piece, place: number, bytes: Buffer): Promise<boolean> {
  const [{ affectedRows }] = (await db.raw(
    'INSERT INTO chat_export_chunks (export_id, attempt, place, bytes) ' +
      "SELECT id, attempt, ?, ? FROM chat_exports WHERE id = ? AND attempt = ? AND state = 'pending'",
    [place, bytes, id, attempt],
  )) as [{ affectedRows: number }];
  return affectedRows > 0;
}

export async function chunk(db: Knex, { id, attempt }: Piece, place: number): Promise<Buffer | undefined> {
  const row = (await db('chat_export_chunks').where({ export_id: id, attempt, place }).first('bytes')) as
    | { bytes: Buffer }
    | undefined;
  return row?.bytes;
}

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
  const rows = (await db('chat_exports')
    .where((any) => void any.where({ state: 'done' }).where('touched_at', '<', doneBefore))
    .orWhere((any) => void any.where({ state: 'pending' }).where('touched_at', '<', touchedBefore))
    .orderBy('id')
    .limit(100)) as Row[];
  return rows.map(exportOf);
}

/** Deletes records that are no longer listed. */
export async function forgetOlder(db: Knex, realmId: RealmId, firstListed: number): Promise<void> {
  await db('chat_exports')
    .where({ realm_id: realmId })
    .where('id', '<', firstListed)
    .whereIn('state', ['failed', 'deleted'])
    .delete();
}

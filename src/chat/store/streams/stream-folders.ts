/** Rows of chat_stream_folders: the folders of an organisation's streams. */
import type { Knex } from 'knex';
import { readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { FolderId, StreamFolder } from '../../model/streams/stream-folder';
import type { UserId } from '../../model/users/user';
import { readOne } from '../rows';

const TABLE = 'chat_stream_folders';

interface Row {
  readonly id: FolderId;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  readonly place: number;
  readonly is_archived: number;
  readonly creator_id: UserId | null;
  readonly created_at: number;
}

const folderOf = (row: Row): StreamFolder => ({
  id: row.id,
  name: row.name,
  description: row.description,
  renderedDescription: row.rendered_description,
  place: row.place,
  isArchived: row.is_archived === 1,
  creatorId: row.creator_id,
  createdAt: row.created_at,
});

/** In their order. */
export const listRead = (realmId: RealmId): Read<StreamFolder[]> =>
  readOf(
    'SELECT id, name, description, rendered_description, place, is_archived, creator_id, created_at ' +
      `FROM ${TABLE} WHERE realm_id = ? ORDER BY place, id`,
    [realmId],
    (rows: readonly Row[]) => rows.map(folderOf),
  );

export const list = (db: Knex, realmId: RealmId): Promise<StreamFolder[]> => runRead(db, listRead(realmId));

/** Whoever puts a stream into it, and whoever archives it, hold it. */
export const lock = (db: Knex, realmId: RealmId, id: number): Promise<StreamFolder | undefined> =>
  readOne(db(TABLE).where({ realm_id: realmId, id }).forUpdate().first(), folderOf);

export type FolderDraft = Omit<StreamFolder, 'id' | 'isArchived'>;

export async function insert(db: Knex, realmId: RealmId, draft: FolderDraft): Promise<FolderId> {
  const [id] = await db(TABLE).insert({ realm_id: realmId, ...columnsOf(draft) });
  return id as FolderId;
}

export async function update(db: Knex, id: FolderId, changes: Partial<StreamFolder>): Promise<void> {
  await db(TABLE).where({ id }).update(columnsOf(changes));
}

/** Knex leaves out what is undefined. */
const columnsOf = (folder: Partial<StreamFolder>) => ({
  name: folder.name,
  description: folder.description,
  rendered_description: folder.renderedDescription,
  place: folder.place,
  is_archived: folder.isArchived,
  creator_id: folder.creatorId,
  created_at: folder.createdAt,
});

/** Of all folders of the organisation. */
export async function reorder(db: Knex, realmId: RealmId, order: readonly number[]): Promise<void> {
  const place = db.raw(`FIELD(id, ${order.map(() => '?').join()}) - 1`, [...order]);
  await db(TABLE).where({ realm_id: realmId }).update({ place });
}

/** Whether any stream lies in it, archived ones too. */
export async function isUsed(db: Knex, realmId: RealmId, id: FolderId): Promise<boolean> {
  const held = { realm_id: realmId, folder_id: id, is_active: true };
  return (await db('chat_streams').where(held).first('id')) !== undefined;
}

/** Rows of chat_upload_thumbnails: uploaded pictures made smaller, once. */
import type { Knex } from 'knex';

export interface Thumbnail {
  readonly extension: string;
  readonly bytes: Buffer;
}

export async function of(db: Knex, uploadId: number): Promise<Thumbnail | undefined> {
  return (await db('chat_upload_thumbnails').where({ upload_id: uploadId }).first('extension', 'bytes')) as
    | Thumbnail
    | undefined;
}

export async function exists(db: Knex, uploadId: number): Promise<boolean> {
  const row: unknown = await db('chat_upload_thumbnails').where({ upload_id: uploadId }).first('upload_id');
  return row !== undefined;
}

/** A file that was deleted meanwhile, or that has its thumbnail already, changes nothing. */
export async function insert(db: Knex, uploadId: number, { extension, bytes }: Thumbnail): Promise<void> {
  await db.raw(
    'INSERT IGNORE INTO chat_upload_thumbnails (upload_id, extension, bytes) ' +
      'SELECT id, ?, ? FROM chat_uploads WHERE id = ?',
    [extension, bytes, uploadId],
  );
}

/** Rows of chat_upload_thumbnails: thumbnails of uploaded pictures. */
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

export async function keep(db: Knex, uploadId: number, { extension, bytes }: Thumbnail): Promise<void> {
  const row = { upload_id: uploadId, extension, bytes };
  await db('chat_upload_thumbnails').insert(row).onConflict().merge();
}

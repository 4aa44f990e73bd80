/** Rows of chat_upload_thumbnails: uploaded pictures, made smaller. */
import type { Knex } from 'knex';

export interface Thumbnail {
  readonly extension: string;
  readonly bytes: Buffer;
}

/** A row that the release before has just added has a time, until the picture is made. */
export async function of(db: Knex, uploadId: number): Promise<Thumbnail | undefined> {
  return (await db('chat_upload_thumbnails')
    .where({ upload_id: uploadId, asked_at: null })
    .first('extension', 'bytes')) as Thumbnail | undefined;
}

export async function keep(db: Knex, uploadId: number, { extension, bytes }: Thumbnail): Promise<void> {
  const row = { upload_id: uploadId, extension, bytes, asked_at: null };
  await db('chat_upload_thumbnails').insert(row).onConflict().merge();
}

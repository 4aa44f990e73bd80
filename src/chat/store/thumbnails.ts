/** Rows of chat_upload_thumbnails: uploaded pictures that are to be made smaller, and those that were, once. */
import type { Knex } from 'knex';
import { ago } from '../../kernel/mysql/ago';
import type { RealmId } from '../model/realm';
import { forgetRows } from './forget-rows';

export interface Thumbnail {
  readonly extension: string;
  readonly bytes: Buffer;
}

export interface PendingThumbnail {
  readonly realmId: RealmId;
  readonly uploadId: number;
}

/** Comes with the upload. */
export async function ask(db: Knex, uploadId: number): Promise<void> {
  await db('chat_upload_thumbnails').insert({ upload_id: uploadId, asked_at: db.raw('NOW(3)') });
}

export async function of(db: Knex, uploadId: number): Promise<Thumbnail | undefined> {
  return (await db('chat_upload_thumbnails')
    .where({ upload_id: uploadId, asked_at: null })
    .first('extension', 'bytes')) as Thumbnail | undefined;
}

/** Not where the file was deleted meanwhile, where its thumbnail is made, and where none can be made of it. */
export async function isPending(db: Knex, uploadId: number): Promise<boolean> {
  const pending = db('chat_upload_thumbnails').where({ upload_id: uploadId }).whereNotNull('asked_at');
  return (await pending.first('upload_id')) !== undefined;
}

export async function finish(db: Knex, uploadId: number, { extension, bytes }: Thumbnail): Promise<void> {
  await db('chat_upload_thumbnails').where({ upload_id: uploadId }).update({ extension, bytes, asked_at: null });
}

/** Nothing can be made of it. */
export async function giveUp(db: Knex, uploadId: number): Promise<void> {
  await db('chat_upload_thumbnails').where({ upload_id: uploadId }).whereNotNull('asked_at').delete();
}

const MOST = 500;

/** Asked for so long ago that somebody must have made them. */
export async function overdue(db: Knex, milliseconds: number): Promise<PendingThumbnail[]> {
  return (await db('chat_upload_thumbnails as t')
    .join('chat_uploads as u', 'u.id', 't.upload_id')
    .where('t.asked_at', '<', ago(db, milliseconds))
    .orderBy('t.asked_at')
    .limit(MOST)
    .select({ realmId: 'u.realm_id', uploadId: 't.upload_id' })) as PendingThumbnail[];
}

export const forgetOld = (db: Knex, keepMs: number): Promise<void> =>
  forgetRows(db('chat_upload_thumbnails').where('asked_at', '<', ago(db, keepMs)), 'upload_id');

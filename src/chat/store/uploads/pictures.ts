/** Pictures in two sizes or one: avatars, an organisation's icon and logos, and thumbnails of uploads. */
import type { Knex } from 'knex';
import type { RealmId } from '../../model/organisation/realm';
import type { CopySize } from '../../model/uploads/picture-recipes';
import type { RealmPictureKind } from '../../model/uploads/realm-picture';
import type { UserId } from '../../model/users/user';
import { put, readColumn } from '../rows';

interface Avatar {
  readonly userId: UserId;
  readonly realmId: RealmId;
  readonly key: string;
  readonly small: Buffer;
  readonly medium: Buffer;
}

export const putAvatar = (db: Knex, { userId, realmId, key, small, medium }: Avatar): Promise<void> =>
  put(db('chat_avatars'), { user_id: userId }, { realm_id: realmId, avatar_key: key, small, medium });

export async function removeAvatar(db: Knex, userId: UserId): Promise<void> {
  await db('chat_avatars').where({ user_id: userId }).delete();
}

export const avatar = (
  db: Knex,
  realmId: RealmId,
  { key, isMedium }: { readonly key: string; readonly isMedium: boolean },
): Promise<Buffer | undefined> =>
  readColumn(db('chat_avatars').where({ realm_id: realmId, avatar_key: key }), isMedium ? 'medium' : 'small');

export const putRealmPicture = (db: Knex, realmId: RealmId, kind: RealmPictureKind, bytes: Buffer): Promise<void> =>
  put(db('chat_realm_pictures'), { realm_id: realmId, kind }, { bytes });

export async function removeRealmPicture(db: Knex, realmId: RealmId, kind: RealmPictureKind): Promise<void> {
  await db('chat_realm_pictures').where({ realm_id: realmId, kind }).delete();
}

export const realmPicture = (db: Knex, realmId: RealmId, kind: RealmPictureKind): Promise<Buffer | undefined> =>
  readColumn(db('chat_realm_pictures').where({ realm_id: realmId, kind }), 'bytes');

interface Thumbnail {
  readonly extension: string;
  readonly bytes: Buffer;
}

export async function thumbnail(db: Knex, uploadId: number): Promise<Thumbnail | undefined> {
  return db('chat_upload_thumbnails').where({ upload_id: uploadId }).first('extension', 'bytes');
}

export const copy = (db: Knex, uploadId: number, size: CopySize): Promise<Buffer | undefined> =>
  readColumn(db('chat_upload_copies').where({ upload_id: uploadId, size }), 'bytes');

export const putCopy = (db: Knex, uploadId: number, size: CopySize, bytes: Buffer): Promise<void> =>
  put(db('chat_upload_copies'), { upload_id: uploadId, size }, { bytes });

export const putThumbnail = (db: Knex, uploadId: number, { extension, bytes }: Thumbnail): Promise<void> =>
  put(db('chat_upload_thumbnails'), { upload_id: uploadId }, { extension, bytes });

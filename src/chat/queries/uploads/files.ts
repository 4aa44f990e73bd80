/** Files that a user may see: their own, and those linked in messages that they may see. */
import { ensure } from '../../../kernel/fault';
import { idsOf } from '../../../kernel/group';
import type { Database } from '../../../kernel/mysql/pool';
import type { ByteRange } from '../../../kernel/files/byte-range';
import { pictureType } from '../../../kernel/files/stored-file';
import type { Wire } from '../../../kernel/text/wire';
import type { attachment } from '../../model/answers/realm';
import type { RealmId } from '../../model/organisation/realm';
import { linkedTokens, uploadPathId } from '../../model/uploads/file';
import { COPY_SIZES, type CopySize } from '../../model/uploads/picture-recipes';
import type { User } from '../../model/users/user';
import { noSuchFile } from '../../model/users/user-faults';
import * as pictures from '../../store/uploads/pictures';
import * as uploads from '../../store/uploads/uploads';
import { readable } from '../messages/access-message';

async function findFile(db: Database, by: User, token: string): Promise<uploads.Upload | undefined> {
  const [found] = await visible(db, by, await uploads.byTokens(db, by.realmId, [token]));
  return found;
}

/** The files that a message links to, if its author may see them: nobody can share a file that they cannot see. */
export async function findLinkedFiles(db: Database, by: User, content: string): Promise<number[]> {
  const tokens = linkedTokens(content);
  if (tokens.length === 0) return [];
  const found = await visible(db, by, await uploads.byTokens(db, by.realmId, tokens));
  return found.map(({ id }) => id);
}

async function visible(db: Database, by: User, files: readonly uploads.Upload[]): Promise<uploads.Upload[]> {
  const foreign = files.filter(({ ownerId }) => ownerId !== by.id).map(({ id }) => id);
  const shown = await readable(db, by, await uploads.linksOf(db, by.realmId, foreign));
  const ids = new Set(shown.map(({ uploadId }) => uploadId));
  return files.filter(({ id, ownerId }) => ownerId === by.id || ids.has(id));
}

export const wireAttachment = (
  upload: uploads.Upload,
  messages: readonly uploads.LinkingMessage[],
): Wire<typeof attachment> => ({
  id: upload.id,
  name: upload.name,
  path_id: uploadPathId(upload),
  size: upload.size,
  create_time: upload.createdAt.getTime(),
  // Zulip puts the message's time into `name`.
  messages: messages.map(({ id, sentAt }) => ({ id, name: sentAt * 1000 })),
});

export async function listAttachments(db: Database, by: User): Promise<Record<string, unknown>> {
  const own = await uploads.ofOwner(db, by.realmId, by.id);
  const linked = uploads.linksByUpload(await uploads.linksOf(db, by.realmId, idsOf(own)));
  return {
    attachments: own.map((upload) => wireAttachment(upload, linked.get(upload.id) ?? [])),
    // Only the user's own: other users' uploads are private.
    upload_space_used: await uploads.spaceUsed(db, by.realmId, by.id),
  };
}

export interface StoredFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The whole file, or a part of it. */
  chunks(part?: ByteRange): AsyncIterable<Buffer> | readonly Buffer[];
}

export type PictureSize = CopySize | 'thumbnail' | 'full';

/** The error is the same whether the file is hidden or does not exist. */
export async function openFile(db: Database, by: User, token: string): Promise<StoredFile> {
  const upload = await findFile(db, by, token);
  ensure(upload !== undefined, noSuchFile());
  return storedFile(db, upload);
}

/** A file whose reader has been checked before. */
export async function openAnyFile(
  db: Database,
  { realmId, token }: { readonly realmId: RealmId; readonly token: string },
): Promise<StoredFile> {
  const [upload] = await uploads.byTokens(db, realmId, [token]);
  ensure(upload !== undefined, noSuchFile());
  return storedFile(db, upload);
}

const storedFile = (db: Database, { id, name, type, size }: uploads.Upload): StoredFile => ({
  name,
  type,
  size,
  chunks: (part) => uploads.chunks(db, id, part),
});

export interface ShownPicture extends StoredFile {
  /** Whether it stays as it is: not if a smaller one is still being made. */
  readonly isFinal: boolean;
}

const isCopySize = (size: PictureSize): size is CopySize => (COPY_SIZES as readonly string[]).includes(size);

async function findSmaller(db: Database, uploadId: number, size: PictureSize) {
  if (!isCopySize(size)) return size === 'full' ? undefined : pictures.thumbnail(db, uploadId);
  const bytes = await pictures.copy(db, uploadId, size);
  return bytes && { bytes, extension: 'webp' };
}

/**
 * An uploaded picture as shown in messages: smaller once that exists, until then the original, but never in place of the
 * tiny one. The address is the path of an upload, with or without its leading slash.
 */
export async function openThumbnail(db: Database, by: User, url: string, size: PictureSize): Promise<ShownPicture> {
  const path = url.startsWith('/') ? url : `/${url}`;
  const [token] = path.startsWith('/user_uploads/') ? linkedTokens(path) : [];
  ensure(token !== undefined, noSuchFile());
  return openSmaller(db, by, token, size);
}

export async function openSmaller(db: Database, by: User, token: string, size: PictureSize): Promise<ShownPicture> {
  const upload = await findFile(db, by, token);
  ensure(upload !== undefined, noSuchFile());
  const smaller = await findSmaller(db, upload.id, size);
  ensure(smaller !== undefined || size !== 'tiny', noSuchFile());
  if (!smaller) return { ...storedFile(db, upload), isFinal: size === 'full' };
  const { bytes, extension } = smaller;
  const type = pictureType(extension);
  return { name: upload.name, type, size: bytes.length, chunks: () => [bytes], isFinal: true };
}

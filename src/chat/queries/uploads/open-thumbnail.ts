/** An uploaded picture as shown in messages: its thumbnail once that exists, until then the original. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { pictureType } from '../../../kernel/files/stored-file';
import { linkedTokens } from '../../model/uploads/file';
import type { User } from '../../model/users/user';
import { noSuchFile } from '../../model/users/user-faults';
import * as thumbnails from '../../store/uploads/thumbnails';
import { findFile } from './access-file';
import { storedFile, type StoredFile } from './list-attachments';

/** The address is the path of an upload, with or without its leading slash. */
export async function openThumbnail(kernel: Kernel, by: User, url: string, isFull: boolean): Promise<StoredFile> {
  const path = url.startsWith('/') ? url : `/${url}`;
  const [token] = path.startsWith('/user_uploads/') ? linkedTokens(path) : [];
  const upload = token === undefined ? undefined : await findFile(kernel, by, token);
  ensure(upload !== undefined, noSuchFile());
  const thumbnail = isFull ? undefined : await thumbnails.of(kernel.mysql, upload.id);
  if (!thumbnail) return storedFile(kernel, upload);
  const { bytes, extension } = thumbnail;
  return { name: upload.name, type: pictureType(extension), size: bytes.length, chunks: [bytes] };
}

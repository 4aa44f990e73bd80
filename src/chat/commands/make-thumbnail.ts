/** Makes the thumbnail of an uploaded picture. Twice changes nothing. */
import { Readable } from 'node:stream';
import { Fault } from '../../kernel/fault';
import { THUMBNAIL } from '../model/picture-recipes';
import type { RealmId } from '../model/realm';
import type { Chat } from '../parts';
import * as thumbnails from '../store/thumbnails';
import * as uploads from '../store/uploads';

export async function makeThumbnailOf(
  { kernel: { mysql }, pictures }: Chat,
  realmId: RealmId,
  uploadId: number,
): Promise<void> {
  if (await thumbnails.exists(mysql, uploadId)) return;
  const open = () => Readable.from(uploads.chunks(mysql, uploadId));
  const made = await pictures
    .make(open, THUMBNAIL, { caller: `thumbnails:${realmId}`, address: String(realmId) })
    .catch((error: unknown) => {
      // A fault would be the job's answer, and the job would not be tried again.
      throw error instanceof Fault ? new Error(error.message, { cause: error }) : error;
    });
  // What no thumbnail is made of is shown as it is.
  if (typeof made !== 'string') await thumbnails.insert(mysql, uploadId, made[0]!);
}

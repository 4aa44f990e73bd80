/** Makes the thumbnail of an uploaded picture, and finds pictures whose thumbnail nobody makes. Twice changes nothing. */
import { Readable } from 'node:stream';
import { Fault } from '../../kernel/fault';
import { makeThumbnail } from '../jobs';
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
  if (!(await thumbnails.isPending(mysql, uploadId))) return;
  const open = () => Readable.from(uploads.chunks(mysql, uploadId));
  const made = await pictures
    .make(open, THUMBNAIL, { caller: `thumbnails:${realmId}`, address: String(realmId) })
    .catch((error: unknown) => {
      // A fault would be the job's answer, and the job would not be tried again.
      throw error instanceof Fault ? new Error(error.message, { cause: error }) : error;
    });
  // What no thumbnail is made of is shown as it is.
  if (typeof made === 'string') await thumbnails.giveUp(mysql, uploadId);
  else await thumbnails.finish(mysql, uploadId, made[0]!);
}

/** Pictures whose thumbnail could not be made until then are shown as they are. */
const KEPT_MS = 24 * 3_600_000;

export async function sweepThumbnails({ kernel }: Chat): Promise<void> {
  await thumbnails.forgetOld(kernel.mysql, KEPT_MS);
  for (const pending of await thumbnails.overdue(kernel.mysql, kernel.settings.sweepAfterMs)) {
    await kernel.jobs.nudge(makeThumbnail, `upload-${pending.uploadId}`, pending);
  }
}

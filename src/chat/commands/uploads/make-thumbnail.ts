/** Makes the thumbnail of an uploaded picture. Idempotent. */
import { Readable } from 'node:stream';
import { done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { Picture } from '../../actors/mailboxes';
import { THUMBNAIL } from '../../model/uploads/picture-recipes';
import type { Chat } from '../../parts';
import * as thumbnails from '../../store/uploads/thumbnails';
import * as uploads from '../../store/uploads/uploads';

export async function makeThumbnail(chat: Chat, { realmId, uploadId }: Picture): Promise<Ending> {
  const { mysql } = chat.kernel;
  const open = () => Readable.from(uploads.chunks(mysql, uploadId));
  const made = await chat.pictures.make(open, THUMBNAIL, {
    caller: `thumbnails:${realmId}`,
    address: String(realmId),
  });
  // A picture without a thumbnail is shown as it is.
  if (typeof made === 'string') return dropped(made);
  return done({ write: ({ db }) => thumbnails.keep(db, uploadId, made[0]!) });
}

/** Converts uploaded pictures. What a user waits for is refused with Zulip's messages. */
import { Readable } from 'node:stream';
import { ensure } from '../../../kernel/fault';
import { done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { Pictures } from '../../../kernel/pictures/pictures';
import type { MadePicture, PictureRecipe } from '../../../kernel/pictures/recipe';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { Picture } from '../../actors/mailboxes';
import { COPIES, COPY_SIZES, THUMBNAIL } from '../../model/uploads/picture-recipes';
import type { User } from '../../model/users/user';
import { imageTooLarge, notAnImage } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { putCopy, putThumbnail } from '../../store/uploads/pictures';
import * as uploads from '../../store/uploads/uploads';

type Parts = Pick<Chat, 'mysql' | 'pictures'>;

/** Organisations take turns, and so do the users of one. Returns one picture per size of the recipe. */
export async function makePictures(
  pictures: Pictures,
  by: User,
  file: FileDraft,
  recipe: PictureRecipe,
): Promise<MadePicture[]> {
  const party = { caller: String(by.id), address: String(by.realmId) };
  const made = await pictures.make(() => file.open(), recipe, party);
  ensure(made !== 'too-large', imageTooLarge());
  ensure(typeof made !== 'string', notAnImage());
  return made;
}

/** Makes the thumbnail of an uploaded picture, and the copies that the chat page shows. Idempotent. */
export async function makeThumbnail(chat: Parts, { realmId, uploadId }: Picture): Promise<Ending> {
  const { mysql } = chat;
  const open = () => Readable.from(uploads.chunks(mysql, uploadId));
  const party = { caller: `thumbnails:${realmId}`, address: String(realmId) };
  const copies = await chat.pictures.make(open, COPIES, party);
  // A picture without copies is shown as it is.
  if (typeof copies === 'string') return dropped(copies);
  const thumbnail = await chat.pictures.make(open, THUMBNAIL, party);
  return done({
    async write({ db }) {
      for (const [place, size] of COPY_SIZES.entries()) await putCopy(db, uploadId, size, copies[place]!.bytes);
      if (typeof thumbnail !== 'string') await putThumbnail(db, uploadId, thumbnail[0]!);
    },
  });
}

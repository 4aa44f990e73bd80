/** Converts an uploaded picture, or refuses it with Zulip's messages. */
import { ensure } from '../../../kernel/fault';
import type { MadePicture, PictureRecipe } from '../../../kernel/pictures/recipe';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { User } from '../../model/users/user';
import { imageTooLarge, notAnImage } from '../../model/users/user-faults';
import type { Chat } from '../../parts';

/** Organisations take turns, and so do the users of one. Returns one picture per size of the recipe. */
export async function makePictures(
  { pictures }: Chat,
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

/** The bytes of pictures that anyone may see who knows where they lie. */
import type { Kernel } from '../../kernel/kernel';
import { avatarFile } from '../model/avatar';
import type { RealmId } from '../model/realm';
import { REALM_PICTURES } from '../model/realm-picture';
import * as avatars from '../store/avatars';
import * as emoji from '../store/realm-emoji';
import * as realmPictures from '../store/realm-pictures';

type Reader = Pick<Kernel, 'mysql'>;

export interface FoundPicture {
  readonly bytes: Buffer;
  readonly extension: string;
}

const asPng = (bytes: Buffer | undefined): FoundPicture | undefined => bytes && { bytes, extension: 'png' };

/** By the name of its file: its id, with whatever extension. */
export async function findEmojiPicture(
  { mysql }: Reader,
  realmId: RealmId,
  file: string,
): Promise<FoundPicture | undefined> {
  const [, id] = /^(\d{1,9})\.\w+$/.exec(file) ?? [];
  return id === undefined ? undefined : emoji.picture(mysql, realmId, Number(id));
}

export async function findAvatarPicture(
  { mysql }: Reader,
  realmId: RealmId,
  file: string,
): Promise<FoundPicture | undefined> {
  const named = avatarFile(file);
  return named && asPng(await avatars.picture(mysql, realmId, named));
}

export async function findRealmPicture(
  { mysql }: Reader,
  realmId: RealmId,
  file: string,
): Promise<FoundPicture | undefined> {
  const kind = REALM_PICTURES.find((each) => file === `${each}.png`);
  return kind && asPng(await realmPictures.picture(mysql, realmId, kind));
}

/** Reads public pictures: anyone who knows the URL may see them. */
import type { Kernel } from '../../../kernel/kernel';
import type { RealmId } from '../../model/organisation/realm';
import { avatarFile } from '../../model/uploads/avatar';
import { REALM_PICTURES } from '../../model/uploads/realm-picture';
import * as emoji from '../../store/organisation/realm-emoji';
import * as avatars from '../../store/uploads/avatars';
import * as realmPictures from '../../store/uploads/realm-pictures';

type Reader = Pick<Kernel, 'mysql'>;

export interface FoundPicture {
  readonly bytes: Buffer;
  readonly extension: string;
}

const asPng = (bytes: Buffer | undefined): FoundPicture | undefined => bytes && { bytes, extension: 'png' };

/** By file name: the id with any extension. */
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

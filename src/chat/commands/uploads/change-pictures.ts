/** Sets or resets the avatar of a user or bot, and an organisation's icon and logos. Publishes the change. */
import { randomBytes } from 'node:crypto';
import { ensure } from '../../../kernel/fault';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Pictures } from '../../../kernel/pictures/pictures';
import { realmPictureChanged } from '../../model/organisation/realm-events';
import { avatarFields, avatarOf } from '../../model/uploads/avatar';
import { AVATAR, OF_REALM } from '../../model/uploads/picture-recipes';
import { type RealmPictureKind, realmPictureUrl } from '../../model/uploads/realm-picture';
import type { User } from '../../model/users/user';
import { userChanged } from '../../model/users/user-events';
import { avatarChangesDisabled } from '../../model/users/user-faults';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as pictures from '../../store/uploads/pictures';
import * as users from '../../store/users/users';
import { publishBotChange } from '../users/update-user';
import { makePictures } from './make-pictures';

type Parts = Storage & Pick<Chat, 'pictures'>;

/** An avatar in both sizes, before it is stored. */
export interface AvatarDraft {
  readonly small: Buffer;
  readonly medium: Buffer;
}

export async function makeAvatar(pictures: Pictures, by: User, file: FileDraft): Promise<AvatarDraft> {
  const [small, medium] = await makePictures(pictures, by, file, AVATAR);
  return { small: small!.bytes, medium: medium!.bytes };
}

/** Null brings back the default avatar. Returns the URL of the new avatar. */
export async function setOwnAvatar(chat: Parts, by: User, file: FileDraft | null): Promise<string> {
  const { settings } = (await realms.byId(chat.mysql, by.realmId))!;
  ensure(!settings.avatar_changes_disabled || by.role === 'admin', avatarChangesDisabled());
  const draft = file && (await makeAvatar(chat.pictures, by, file));
  return chat.transaction(async (tx) => {
    const user = (await users.lock(tx.db, by.realmId, by.id))!;
    return avatarOf(await changeAvatar(tx, user, draft));
  });
}

/** The caller has locked the user's row. */
export async function changeAvatar(tx: Tx, user: User, draft: AvatarDraft | null): Promise<User> {
  const changed = await storeAvatar(tx.db, user, draft);
  tx.deliver(userChanged(changed, avatarFields(changed), { avatar_version: changed.avatarVersion }));
  await publishBotChange(tx, changed, { avatar_url: avatarOf(changed) });
  return changed;
}

/** Only the URL's version changes, so that old messages show the new avatar. */
export async function storeAvatar(db: Database, user: User, draft: AvatarDraft | null): Promise<User> {
  const avatarKey = draft && (user.avatarKey ?? randomBytes(20).toString('hex'));
  const avatarVersion = user.avatarVersion + 1;
  if (draft) await pictures.putAvatar(db, { userId: user.id, realmId: user.realmId, key: avatarKey!, ...draft });
  else await pictures.removeAvatar(db, user.id);
  await users.update(db, user.id, { avatarKey, avatarVersion });
  return { ...user, avatarKey, avatarVersion };
}

/** Null brings back the default picture. Returns the URL of the new picture. */
export async function setRealmPicture(
  chat: Parts,
  by: User,
  kind: RealmPictureKind,
  file: FileDraft | null,
): Promise<string> {
  ensureAdmin(by);
  const [picture] = file ? await makePictures(chat.pictures, by, file, OF_REALM[kind]) : [];
  return chat.transaction(async (tx) => {
    const realm = (await realms.lock(tx.db, by.realmId))!;
    if (picture) await pictures.putRealmPicture(tx.db, realm.id, kind, picture.bytes);
    else await pictures.removeRealmPicture(tx.db, realm.id, kind);
    const changed = { isUploaded: picture !== undefined, version: realm.pictures[kind].version + 1 };
    const after = { ...realm, pictures: { ...realm.pictures, [kind]: changed } };
    await realms.setPictures(tx.db, realm.id, after.pictures);
    tx.deliver(realmPictureChanged(after, kind));
    return realmPictureUrl(after, kind);
  });
}

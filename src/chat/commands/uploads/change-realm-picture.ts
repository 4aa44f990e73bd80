/** Sets or resets an organisation's icon or logo, and publishes the change. */
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { Realm } from '../../model/organisation/realm';
import { realmPictureChanged } from '../../model/organisation/realm-events';
import { OF_REALM } from '../../model/uploads/picture-recipes';
import { realmPictureUrl, type RealmPictureKind } from '../../model/uploads/realm-picture';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as realmPictures from '../../store/uploads/realm-pictures';
import { makePictures } from './make-pictures';

type Parts = Pick<Chat, 'pictures' | 'transaction'>;

/** Returns the URL of the new picture. */
export async function setRealmPicture(chat: Parts, by: User, kind: RealmPictureKind, file: FileDraft): Promise<string> {
  ensureAdmin(by);
  const [picture] = await makePictures(chat.pictures, by, file, OF_REALM[kind]);
  return chat.transaction(async (tx) => {
    const realm = (await realms.lock(tx.db, by.realmId))!;
    await realmPictures.put(tx.db, realm.id, kind, picture!.bytes);
    return change(tx, realm, kind, true);
  });
}

export async function resetRealmPicture(transaction: Transact, by: User, kind: RealmPictureKind): Promise<string> {
  ensureAdmin(by);
  return transaction(async (tx) => {
    const realm = (await realms.lock(tx.db, by.realmId))!;
    await realmPictures.remove(tx.db, realm.id, kind);
    return change(tx, realm, kind, false);
  });
}

async function change(tx: Tx, realm: Realm, kind: RealmPictureKind, isUploaded: boolean): Promise<string> {
  const version = realm.pictures[kind].version + 1;
  const changed = { ...realm, pictures: { ...realm.pictures, [kind]: { isUploaded, version } } };
  await realms.setPictures(tx.db, realm.id, changed.pictures);
  tx.deliver(realmPictureChanged(changed, kind));
  return realmPictureUrl(changed, kind);
}

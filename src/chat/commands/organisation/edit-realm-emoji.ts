/** Adds and retires an organisation's custom emoji. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { FileDraft } from '../../../kernel/files/stored-file';
import { eventDelivery } from '../../model/events/event';
import type { RealmId } from '../../model/organisation/realm';
import { isEmojiName, wireEmoji } from '../../model/organisation/realm-emoji';
import { EMOJI } from '../../model/uploads/picture-recipes';
import type { User } from '../../model/users/user';
import { adminsOnly, emojiNameInvalid, emojiNameTaken, noSuchEmoji, notYourEmoji } from '../../model/users/user-faults';
import { ensureMember } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as emoji from '../../store/organisation/realm-emoji';
import * as realms from '../../store/organisation/realms';
import { makePictures } from '../uploads/make-pictures';

type Parts = Storage & Pick<Chat, 'pictures' | 'vocabularies'>;

export async function addRealmEmoji(chat: Parts, by: User, name: string, file: FileDraft): Promise<void> {
  await ensureMayAdd(chat.mysql, by);
  ensure(isEmojiName(name), emojiNameInvalid());
  const [picture] = await makePictures(chat.pictures, by, file, EMOJI);
  try {
    await chat.transaction(async (tx) => {
      await realms.lock(tx.db, by.realmId);
      await emoji.insert(tx.db, { realmId: by.realmId, name, authorId: by.id, ...picture! });
      await publishAll(tx, by.realmId);
    });
    chat.vocabularies.delete(by.realmId);
  } catch (error) {
    if (isDuplicate(error)) throw emojiNameTaken();
    throw error;
  }
}

async function ensureMayAdd(db: Database, by: User): Promise<void> {
  ensureMember(by);
  const realm = (await realms.byId(db, by.realmId))!;
  ensure(!realm.settings.add_emoji_by_admins_only || by.role === 'admin', adminsOnly());
}

/** Existing messages keep showing a retired emoji. */
export async function retireRealmEmoji(
  chat: Pick<Chat, 'transaction' | 'vocabularies'>,
  by: User,
  name: string,
): Promise<void> {
  ensureMember(by);
  await chat.transaction(async (tx) => {
    await realms.lock(tx.db, by.realmId);
    const found = (await emoji.list(tx.db, by.realmId)).find((each) => each.isActive && each.name === name);
    ensure(found !== undefined, noSuchEmoji(name));
    ensure(by.role === 'admin' || found.author.id === by.id, notYourEmoji());
    await emoji.deactivate(tx.db, found.id);
    await publishAll(tx, by.realmId);
  });
  chat.vocabularies.delete(by.realmId);
}

/** Publishes the whole list. The organisation is locked, so that events keep the order of the changes. */
async function publishAll(tx: Tx, realmId: RealmId): Promise<void> {
  const all = wireEmoji(realmId, await emoji.list(tx.db, realmId));
  tx.deliver(eventDelivery(realmId, 'everyone', { type: 'realm_emoji', op: 'update', realm_emoji: all }));
}

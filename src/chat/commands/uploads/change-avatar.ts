/** Sets or resets the avatar of a user or bot, and publishes the change. */
import { randomBytes } from 'node:crypto';
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { Pictures } from '../../../kernel/pictures/pictures';
import { avatarFields, avatarOf } from '../../model/uploads/avatar';
import { AVATAR } from '../../model/uploads/picture-recipes';
import type { User } from '../../model/users/user';
import { botChanged, userChanged } from '../../model/users/user-events';
import { avatarChangesDisabled } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import * as bots from '../../store/bots/bots';
import * as realms from '../../store/organisation/realms';
import * as avatars from '../../store/uploads/avatars';
import * as users from '../../store/users/users';
import { makePictures } from './make-pictures';

/** An avatar in both sizes, before it is stored. */
export interface AvatarDraft {
  readonly small: Buffer;
  readonly medium: Buffer;
}

export async function makeAvatar(pictures: Pictures, by: User, file: FileDraft): Promise<AvatarDraft> {
  const [small, medium] = await makePictures(pictures, by, file, AVATAR);
  return { small: small!.bytes, medium: medium!.bytes };
}

/** Returns the URL of the new avatar. */
export async function setOwnAvatar(chat: Storage & Pick<Chat, 'pictures'>, by: User, file: FileDraft): Promise<string> {
  await ensureMayChange(chat.mysql, by);
  const draft = await makeAvatar(chat.pictures, by, file);
  return chat.transaction(async (tx) => {
    const user = (await users.lock(tx.db, by.realmId, by.id))!;
    return avatarOf(await changeAvatar(tx, user, draft));
  });
}

export async function removeOwnAvatar(kernel: Storage, by: User): Promise<string> {
  await ensureMayChange(kernel.mysql, by);
  return kernel.transaction(async (tx) => {
    const user = (await users.lock(tx.db, by.realmId, by.id))!;
    await avatars.remove(tx.db, user.id);
    const change = { avatarKey: null, avatarVersion: user.avatarVersion + 1 };
    await users.update(tx.db, user.id, change);
    const changed = { ...user, ...change };
    await publishAvatar(tx, changed);
    return avatarOf(changed);
  });
}

async function ensureMayChange(db: Database, by: User): Promise<void> {
  const { settings } = (await realms.byId(db, by.realmId))!;
  ensure(!settings.avatar_changes_disabled || by.role === 'admin', avatarChangesDisabled());
}

/** The caller has locked the user's row. */
export async function changeAvatar(tx: Tx, user: User, draft: AvatarDraft): Promise<User> {
  const changed = await storeAvatar(tx.db, user, draft);
  await publishAvatar(tx, changed);
  return changed;
}

/** Only the URL's version changes, so that old messages show the new avatar. */
export async function storeAvatar(db: Database, user: User, draft: AvatarDraft): Promise<User> {
  const avatarKey = user.avatarKey ?? randomBytes(20).toString('hex');
  const avatarVersion = user.avatarVersion + 1;
  await avatars.put(db, { userId: user.id, realmId: user.realmId, key: avatarKey, ...draft });
  await users.update(db, user.id, { avatarKey, avatarVersion });
  return { ...user, avatarKey, avatarVersion };
}

async function publishAvatar(tx: Tx, user: User): Promise<void> {
  tx.deliver(userChanged(user, avatarFields(user)));
  if (user.botType === null) return;
  const audience = await bots.audience(tx.db, user.realmId, user.botOwnerId);
  tx.deliver(botChanged(user, { avatar_url: avatarOf(user) }, audience));
}

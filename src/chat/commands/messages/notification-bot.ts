/**
 * The bot that sends the server's own messages. Each organisation has such an account, so its messages are ordinary
 * ones; chat_realms names the account, which keeps it out of user lists. Nobody knows its key. It is created on first
 * use.
 */
import { newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { noSuchRealm } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { KEY_LENGTH, SYSTEM_BOT_EMAIL, type User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';

export async function notificationBot(chat: Storage & Pick<Chat, 'systemBots'>, realmId: RealmId): Promise<User> {
  const found = chat.systemBots.get(realmId);
  if (found) return found;
  const bot = await chat.transaction(async ({ db }) => {
    // Locked, so that only one is created.
    if (!(await realms.lock(db, realmId))) throw noSuchRealm();
    let id = await realms.notificationBot(db, realmId);
    if (id === undefined) {
      const key = newSecret(KEY_LENGTH);
      id = await users.insert(db, {
        realmId,
        email: SYSTEM_BOT_EMAIL,
        fullName: 'Notification Bot',
        shortName: 'notification-bot',
        role: 'member',
        botType: 1,
        botOwnerId: null,
        timezone: '',
        passwordHash: null,
        keyHash: chat.secrets.lookup(key),
        keySealed: chat.secrets.encrypt(key),
      });
      await realms.setNotificationBot(db, realmId, id);
    }
    return (await users.byId(db, realmId, id))!;
  });
  chat.systemBots.set(realmId, bot);
  return bot;
}

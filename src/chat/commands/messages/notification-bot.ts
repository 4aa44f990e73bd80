/**
 * The bot in whose name the server itself speaks. It is an account of each organisation, so that its messages are like all
 * others; but chat_realms names it, which keeps it out of lists of users. Nobody knows its key. Made when first needed.
 */
import { newSecret } from '../../../kernel/id';
import { noSuchRealm } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { KEY_LENGTH, SYSTEM_BOT_EMAIL, type User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';

export async function notificationBot(chat: Chat, realmId: RealmId): Promise<User> {
  const found = chat.systemBots.get(realmId);
  if (found) return found;
  const bot = await chat.kernel.transaction(async ({ db }) => {
    // Locked, so that there is one.
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
        keyHash: chat.kernel.secrets.lookup(key),
        keySealed: chat.kernel.secrets.encrypt(key),
      });
      await realms.setNotificationBot(db, realmId, id);
    }
    return (await users.byId(db, realmId, id))!;
  });
  chat.systemBots.set(realmId, bot);
  return bot;
}

/** Gives a user a new key; the old one is worth nothing from then on. */
import { newSecret } from '../../kernel/id';
import type { Kernel } from '../../kernel/kernel';
import { KEY_LENGTH, type User } from '../model/user';
import { accessChanged, botChanged } from '../model/user-events';
import * as bots from '../store/bots';
import * as users from '../store/users';

export async function rotateKey(kernel: Kernel, user: User): Promise<string> {
  const key = newSecret(KEY_LENGTH);
  const stored = { keyHash: kernel.secrets.lookup(key), keySealed: kernel.secrets.encrypt(key) };
  await kernel.transaction(async (tx) => {
    await users.setKey(tx.db, user.id, stored);
    if (user.botType !== null) {
      const hearers = await bots.hearers(tx.db, user.realmId, user.botOwnerId);
      // Only that it is another one: who delivers this puts the key in.
      tx.deliver(botChanged(user, { api_key: null }, hearers));
    }
    tx.deliver(accessChanged(user.realmId, user.id));
  });
  return key;
}

/** Gives a user a new key; the old one is worth nothing from then on. */
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Kernel } from '../../../kernel/kernel';
import { KEY_LENGTH, type User } from '../../model/users/user';
import { accessChanged, botChanged } from '../../model/users/user-events';
import { noSuchBot } from '../../model/users/user-faults';
import { ensureMayRun } from '../../model/users/user-policy';
import * as bots from '../../store/bots/bots';
import * as users from '../../store/users/users';

/** With `by` the user is a bot, and whoever asks must have a right to it when the key changes. */
export async function rotateKey(kernel: Kernel, user: User, by?: User): Promise<string> {
  const key = newSecret(KEY_LENGTH);
  const stored = { keyHash: kernel.secrets.lookup(key), keySealed: kernel.secrets.encrypt(key) };
  await kernel.transaction(async (tx) => {
    // Locked, so that a bot which is being given away has one owner or the other, and that owner hears of the key.
    const standing = (await users.lock(tx.db, user.realmId, user.id)) ?? user;
    if (by) {
      ensure(standing.isActive, noSuchBot());
      ensureMayRun(by, standing);
    }
    await users.setKey(tx.db, user.id, stored);
    if (standing.botType !== null) {
      const audience = await bots.audience(tx.db, user.realmId, standing.botOwnerId);
      // Only that it is another one: who delivers this puts the key in.
      tx.deliver(botChanged(standing, { api_key: null }, audience));
    }
    tx.deliver(accessChanged(user.realmId, user.id));
  });
  return key;
}

/** Replaces a user's API key. The old key stops working. */
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { KEY_LENGTH, type User } from '../../model/users/user';
import { accessChanged } from '../../model/users/user-events';
import { noSuchBot } from '../../model/users/user-faults';
import { ensureMayRun } from '../../model/users/user-policy';
import { pushDevices } from '../../store/push/push-devices';
import * as users from '../../store/users/users';
import { publishBotChange } from '../users/update-user';

/** With `by`, the user is a bot, and the requester must have a right to it when the key changes. */
export async function rotateKey(kernel: Storage, user: User, by?: User): Promise<string> {
  const key = newSecret(KEY_LENGTH);
  const stored = { keyHash: kernel.secrets.lookup(key), keySealed: kernel.secrets.encrypt(key) };
  await kernel.transaction(async (tx) => {
    // Locked, so that a concurrent change of owner comes before or after, and the right owner gets the event.
    const standing = (await users.lock(tx.db, user.realmId, user.id)) ?? user;
    if (by) {
      ensure(standing.isActive, noSuchBot());
      ensureMayRun(by, standing);
    }
    await pushDevices.removeKeyed(tx.db, user.id);
    await users.setKey(tx.db, user.id, stored);
    // The event only says that the key changed. The key is filled in at delivery.
    await publishBotChange(tx, standing, { api_key: null });
    tx.deliver(accessChanged(user.realmId, user.id));
  });
  return key;
}

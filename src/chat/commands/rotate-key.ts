/** Gives a user a new key; the old one is worth nothing from then on. */
import { newSecret } from '../../kernel/id';
import type { Kernel } from '../../kernel/kernel';
import { KEY_LENGTH, type User } from '../model/user';
import * as users from '../store/users';

export async function rotateKey(kernel: Kernel, user: User): Promise<string> {
  const key = newSecret(KEY_LENGTH);
  await kernel.transaction((tx) =>
    users.setKey(tx.db, user.id, { keyHash: kernel.secrets.lookup(key), keySealed: kernel.secrets.encrypt(key) }),
  );
  return key;
}

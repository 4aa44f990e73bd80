/** Adds a person or a bot to an organisation, with a key of its own. */
import type { Kernel } from '../../kernel/kernel';
import { newSecret } from '../../kernel/id';
import { isDuplicate } from '../../kernel/mysql/outcome';
import { emailTaken, notAnEmail } from '../model/faults';
import type { RealmId } from '../model/realm';
import { isEmail, KEY_LENGTH, type BotType, type Role, type UserId } from '../model/user';
import * as users from '../store/users';

export interface UserDraft {
  readonly realmId: RealmId;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly password?: string;
  readonly bot?: { readonly type: BotType; readonly ownerId: UserId };
}

export async function createUser(kernel: Kernel, draft: UserDraft): Promise<{ id: UserId; key: string }> {
  if (!isEmail(draft.email)) throw notAnEmail();
  const key = newSecret(KEY_LENGTH);
  const passwordHash = draft.password === undefined ? null : await kernel.secrets.hashPassword(draft.password);
  try {
    const id = await kernel.transaction((tx) =>
      users.insert(tx.db, {
        realmId: draft.realmId,
        email: draft.email,
        fullName: draft.fullName,
        shortName: draft.email.split('@')[0]!,
        role: draft.role,
        botType: draft.bot?.type ?? null,
        botOwnerId: draft.bot?.ownerId ?? null,
        timezone: '',
        passwordHash,
        keyHash: kernel.secrets.lookup(key),
        keySealed: kernel.secrets.encrypt(key),
      }),
    );
    return { id, key };
  } catch (error) {
    if (isDuplicate(error)) throw emailTaken(draft.email);
    throw error;
  }
}

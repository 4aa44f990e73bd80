/** All users of an organisation, including bots and deactivated accounts. */
import type { Kernel } from '../../../kernel/kernel';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { member } from '../../model/users/user-wire';
import * as profiles from '../../store/users/profile-fields';
import * as users from '../../store/users/users';

export const listUsers = (kernel: Kernel, realmId: RealmId): Promise<User[]> => users.list(kernel.mysql, realmId);

export interface MemberWishes {
  readonly clientAvatar: boolean;
  readonly withProfiles: boolean;
}

/** As other users see them. */
export async function listMembers(
  kernel: Kernel,
  realmId: RealmId,
  wishes: MemberWishes,
): Promise<{ members: Record<string, unknown>[] }> {
  const everybody = await listUsers(kernel, realmId);
  const emails = new Map(everybody.map(({ id, email }) => [id, email]));
  const view = {
    clientAvatar: wishes.clientAvatar,
    emailOf: (id: User['id']) => emails.get(id) ?? null,
    ...(wishes.withProfiles ? { profiles: await profiles.answers(kernel.mysql, realmId) } : {}),
  };
  return { members: everybody.map((user) => member(user, view)) };
}

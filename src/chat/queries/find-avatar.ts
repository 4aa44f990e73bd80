/** Where somebody's picture is, by address or number. */
import type { Kernel } from '../../kernel/kernel';
import { defaultAvatar, type User } from '../model/user';
import * as users from '../store/users';

/** Who is unknown has a picture too: whether an address is one of ours is nobody's business. */
export async function findAvatar({ mysql }: Kernel, by: User, who: string, isMedium: boolean): Promise<string> {
  const user = /^\d+$/.test(who) ? await users.byId(mysql, by.realmId, Number(who)) : undefined;
  return defaultAvatar(user?.email ?? who) + (isMedium ? '&s=500' : '');
}

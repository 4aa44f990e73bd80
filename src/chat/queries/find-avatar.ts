/** Where somebody's picture is, by address or number. */
import type { Kernel } from '../../kernel/kernel';
import { defaultAvatar, newAvatar, type User } from '../model/user';
import * as users from '../store/users';

/** What the column of ids can hold has no more digits. */
const AN_ID = /^\d{1,10}$/;

/** Who is unknown has a picture too: whether an address is one of ours is nobody's business. */
export async function findAvatar({ mysql }: Kernel, by: User, who: string, isMedium: boolean): Promise<string> {
  const user = AN_ID.test(who) ? await users.byId(mysql, by.realmId, Number(who)) : undefined;
  // Nothing is remembered of what a caller wrote.
  return (user ? defaultAvatar(user.email) : newAvatar(who)) + (isMedium ? '&s=500' : '');
}

/** Where somebody's picture is, by address or number. */
import type { Kernel } from '../../../kernel/kernel';
import { avatarOf, hasDefaultAvatar, mediumAvatarOf, mediumDefault, strangersAvatar } from '../../model/uploads/avatar';
import { isEmail, type User } from '../../model/users/user';
import * as users from '../../store/users/users';

/** What the column of ids can hold has no more digits. */
const AN_ID = /^\d{1,10}$/;
/** The default service draws pictures of up to 2048 pixels. */
const A_SIDE = /^\d{1,4}$/;

export interface AvatarOptions {
  readonly isMedium: boolean;
  /** The side of a default avatar in pixels. An uploaded avatar has two sizes only. */
  readonly side?: string | undefined;
}

/** Somebody unknown has a picture too. */
export async function findAvatar(kernel: Kernel, by: User, who: string, options: AvatarOptions): Promise<string> {
  const user = await findPerson(kernel, by, who);
  if (user && !hasDefaultAvatar(user)) return options.isMedium ? mediumAvatarOf(user) : avatarOf(user);
  const avatar = user ? avatarOf(user) : strangersAvatar(who);
  if (options.isMedium) return mediumDefault(avatar);
  return options.side !== undefined && A_SIDE.test(options.side) ? `${avatar}&s=${options.side}` : avatar;
}

async function findPerson({ mysql }: Kernel, by: User, who: string): Promise<User | undefined> {
  if (AN_ID.test(who)) return users.byId(mysql, by.realmId, Number(who));
  return isEmail(who) ? users.byEmail(mysql, by.realmId, who) : undefined;
}

/** Finds the URL of a user's avatar, by email address or id. */
import type { Kernel } from '../../../kernel/kernel';
import { avatarOf, hasDefaultAvatar, mediumAvatarOf, mediumDefault, strangersAvatar } from '../../model/uploads/avatar';
import { isEmail, type User } from '../../model/users/user';
import * as users from '../../store/users/users';

/** The id column holds no more digits. */
const AN_ID = /^\d{1,10}$/;
/** The default avatar service supports up to 2048 pixels. */
const A_SIDE = /^\d{1,4}$/;

export interface AvatarOptions {
  readonly isMedium: boolean;
  /** The side of a default avatar in pixels. An uploaded avatar has only two sizes. */
  readonly side?: string | undefined;
}

/** Unknown users get an avatar too. */
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

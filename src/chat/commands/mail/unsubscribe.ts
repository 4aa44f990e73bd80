/** Turns off a user's mail about missed messages, with the link from such a mail. */
import { timingSafeEqual } from 'node:crypto';
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { invalidLink } from '../../model/accounts/invitation';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import * as users from '../../store/users/users';
import { updateSettings } from '../users/update-settings';

/** Never expires: a mail may be old when its recipient unsubscribes. */
export const unsubscribeToken = (secrets: Secrets, { id, realmId }: Pick<User, 'id' | 'realmId'>): string =>
  `${id}-${secrets.token('unsubscribe', `${realmId}:${id}`)}`;

export async function unsubscribe(kernel: Storage, realmId: RealmId, token: string): Promise<void> {
  const user = await userOfLink(kernel, realmId, token);
  await updateSettings(kernel.transaction, user, 'notifications', { enable_offline_email_notifications: false });
}

export async function userOfLink(kernel: Storage, realmId: RealmId, token: string): Promise<User> {
  const [, written] = /^(\d{1,10})-[\w-]{43}$/.exec(token) ?? [];
  ensure(written !== undefined, invalidLink());
  const id = Number(written) as User['id'];
  const isRight = isSame(token, unsubscribeToken(kernel.secrets, { id, realmId }));
  const user = isRight ? await users.byId(kernel.mysql, realmId, id) : undefined;
  ensure(user !== undefined, invalidLink());
  return user;
}

/** Both are ASCII, so equal lengths mean equal byte lengths. */
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** URLs of avatars: on this server if uploaded, otherwise at the default avatar service. */
import { createHash } from 'node:crypto';
import { Cache } from '../../../kernel/cache/cache';
import type { User } from '../users/user';

/** The user fields that determine the avatar's URL. */
export type AvatarFacts = Pick<User, 'realmId' | 'email' | 'avatarKey' | 'avatarVersion'>;

/** Cached by email address, because a user sends many messages. */
const defaults = new Cache<string, string>({ entries: 10_000, bytes: 8 * 1024 * 1024 });

/** The default avatar service finds pictures by a hash of the email address. */
function defaultAvatar(email: string): string {
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
}

/** For an unknown email address. Not cached, because callers can send anything. */
export const strangersAvatar = (email: string): string => `${defaultAvatar(email)}&version=1`;

function rememberedDefault(email: string): string {
  let avatar = defaults.get(email);
  if (avatar === undefined) defaults.set(email, (avatar = defaultAvatar(email)));
  return avatar;
}

/** Clients that say so compute the URL of a default avatar themselves. */
export const hasDefaultAvatar = ({ avatarKey }: Pick<AvatarFacts, 'avatarKey'>): boolean => avatarKey === null;

/** The version changes with the picture, so that caches do not show an old one. */
export function avatarOf({ realmId, email, avatarKey, avatarVersion }: AvatarFacts): string {
  if (avatarKey === null) return `${rememberedDefault(email)}&version=${avatarVersion}`;
  return `/user_avatars/${realmId}/${avatarKey}.png?x=x&version=${avatarVersion}`;
}

export function mediumAvatarOf(user: AvatarFacts): string {
  const avatar = avatarOf(user);
  return hasDefaultAvatar(user) ? mediumDefault(avatar) : avatar.replace('.png?', '-medium.png?');
}

/** The size comes before the version, as in Zulip. */
export const mediumDefault = (avatar: string): string => avatar.replace('&version=', '&s=500&version=');

/** The avatar fields of a user's own profile, and of events about a changed avatar. */
export const avatarFields = (user: AvatarFacts) => ({
  avatar_source: hasDefaultAvatar(user) ? 'G' : 'U',
  avatar_url: avatarOf(user),
  avatar_url_medium: mediumAvatarOf(user),
});

/** Parses a file name under /user_avatars/{realm}. */
export function avatarFile(name: string): { readonly key: string; readonly isMedium: boolean } | undefined {
  const [, key, medium] = /^([0-9a-f]{40})(-medium)?\.png$/.exec(name) ?? [];
  return key === undefined ? undefined : { key, isMedium: medium !== undefined };
}

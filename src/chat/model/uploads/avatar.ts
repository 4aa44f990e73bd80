/**
 * Where the pictures of people and bots are found: with us if they uploaded one, else at the default avatar service.
 */
import { createHash } from 'node:crypto';
import { Cache } from '../../../kernel/cache';
import type { User } from '../users/user';

/** What of a user decides about the address of their picture. */
export type AvatarFacts = Pick<User, 'realmId' | 'email' | 'avatarKey' | 'avatarVersion'>;

/** By address: one sends many messages. */
const defaults = new Cache<string, string>({ entries: 10_000, bytes: 8 * 1024 * 1024 });

/** The default avatar service finds pictures by a hash of the address. */
function defaultAvatar(email: string): string {
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
}

/** Of an address that is nobody's here. Nothing is remembered of what a caller wrote. */
export const strangersAvatar = (email: string): string => `${defaultAvatar(email)}&version=1`;

function rememberedDefault(email: string): string {
  let avatar = defaults.get(email);
  if (avatar === undefined) defaults.set(email, (avatar = defaultAvatar(email)));
  return avatar;
}

/** Clients compute the address of a default avatar themselves where they say so. */
export const hasDefaultAvatar = ({ avatarKey }: Pick<AvatarFacts, 'avatarKey'>): boolean => avatarKey === null;

/** The version changes with the picture, so that nobody shows an old one from a cache. */
export function avatarOf({ realmId, email, avatarKey, avatarVersion }: AvatarFacts): string {
  if (avatarKey === null) return `${rememberedDefault(email)}&version=${avatarVersion}`;
  return `/user_avatars/${realmId}/${avatarKey}.png?x=x&version=${avatarVersion}`;
}

export function mediumAvatarOf(user: AvatarFacts): string {
  const avatar = avatarOf(user);
  return hasDefaultAvatar(user) ? mediumDefault(avatar) : avatar.replace('.png?', '-medium.png?');
}

/** The size stands before the version, as the real server writes it. */
export const mediumDefault = (avatar: string): string => avatar.replace('&version=', '&s=500&version=');

/** As users are told of their own picture, and everybody of one that has changed. */
export const avatarFields = (user: AvatarFacts) => ({
  avatar_source: hasDefaultAvatar(user) ? 'G' : 'U',
  avatar_url: avatarOf(user),
  avatar_url_medium: mediumAvatarOf(user),
});

/** Reads the name of a file under /user_avatars/{realm}. */
export function avatarFile(name: string): { readonly key: string; readonly isMedium: boolean } | undefined {
  const [, key, medium] = /^([0-9a-f]{40})(-medium)?\.png$/.exec(name) ?? [];
  return key === undefined ? undefined : { key, isMedium: medium !== undefined };
}

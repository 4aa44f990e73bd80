/** What today's clients read in users and streams, beside what clients of 2.1 do. */
import type { Stream } from '../streams/stream';
import { isOwner, roleNumber } from '../users/role';
import type { User } from '../users/user';

type Person = Pick<User, 'role' | 'title' | 'avatarVersion' | 'isActive' | 'email'>;

export const todayPerson = (user: Person) => ({
  is_active: user.isActive,
  role: roleNumber(user),
  is_owner: isOwner(user),
  avatar_version: user.avatarVersion,
  // Addresses are hidden from nobody here; the app shows only this one.
  delivery_email: user.email,
});

export const todayStream = (stream: Pick<Stream, 'createdAt' | 'creatorId' | 'postPolicy'>) => ({
  /** Seconds. */
  date_created: Math.floor(stream.createdAt.getTime() / 1000),
  creator_id: stream.creatorId,
  stream_post_policy: stream.postPolicy,
});

/** What today's clients read in users and streams, beside what clients of 2.1 do. */
import type { Stream } from '../streams/stream';
import type { Role, User } from '../users/user';

const ROLES: Readonly<Record<Role, number>> = { admin: 200, member: 400, guest: 600 };

export const roleNumber = (role: Role): number => ROLES[role];

export const todayPerson = ({ role, avatarVersion, isActive }: Pick<User, 'role' | 'avatarVersion' | 'isActive'>) => ({
  is_active: isActive,
  role: roleNumber(role),
  avatar_version: avatarVersion,
});

const EVERYBODY = 1;
const ADMINISTRATORS = 2;
export const postPolicyOf = (isAnnouncementOnly: boolean): number => (isAnnouncementOnly ? ADMINISTRATORS : EVERYBODY);

/** Seconds. */
export const dateCreated = ({ createdAt }: Pick<Stream, 'createdAt'>) => ({
  date_created: Math.floor(createdAt.getTime() / 1000),
});

export const todayStream = (stream: Pick<Stream, 'createdAt' | 'isAnnouncementOnly'>) => ({
  ...dateCreated(stream),
  stream_post_policy: postPolicyOf(stream.isAnnouncementOnly),
});

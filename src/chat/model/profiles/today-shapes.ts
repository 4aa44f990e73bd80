/** What today's clients read in users and streams, beside what clients of 2.1 do. */
import { POST_POLICY, type PostPolicy, type Stream } from '../streams/stream';
import { isOwner, roleNumber } from '../users/role';
import { SYSTEM_GROUPS } from '../users/system-groups';
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

/** Who may write, as a group by role. */
export const sendersGroup = (policy: PostPolicy): number =>
  ({
    [POST_POLICY.everybody]: SYSTEM_GROUPS.everyone,
    [POST_POLICY.admins]: SYSTEM_GROUPS.admins,
    [POST_POLICY.noNewcomers]: SYSTEM_GROUPS.fullMembers,
    [POST_POLICY.moderators]: SYSTEM_GROUPS.moderators,
  })[policy];

export const todayStream = (stream: Pick<Stream, 'createdAt' | 'creatorId' | 'postPolicy'>) => ({
  /** Seconds. */
  date_created: Math.floor(stream.createdAt.getTime() / 1000),
  creator_id: stream.creatorId,
  stream_post_policy: stream.postPolicy,
  can_send_message_group: sendersGroup(stream.postPolicy),
  // Beside whom the organisation lets, which is all that this server knows.
  can_add_subscribers_group: SYSTEM_GROUPS.nobody,
  can_delete_any_message_group: SYSTEM_GROUPS.nobody,
  can_delete_own_message_group: SYSTEM_GROUPS.nobody,
  can_subscribe_group: SYSTEM_GROUPS.nobody,
  topics_policy: 'inherit',
});

/** Schemas of users, bots and their resources. */
import { z } from 'zod';
import type { Wire } from '../../../kernel/text/wire';

const time = z.string().meta({ format: 'date-time' });

export const profileData = z
  .record(z.string(), z.object({ value: z.string(), rendered_value: z.string().optional() }))
  .meta({ id: 'ProfileData', description: 'By profile field id' });

const personShape = {
  email: z.string(),
  user_id: z.int(),
  avatar_url: z.string().nullable().meta({ description: 'Null if the client computes it' }),
  is_admin: z.boolean(),
  is_bot: z.boolean(),
  full_name: z.string(),
  timezone: z.string(),
  date_joined: time,
  is_active: z.boolean().optional(),
  role: z.int().optional().meta({ description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest' }),
  is_owner: z.boolean().optional(),
  avatar_version: z.int().optional().meta({ description: 'Grows with each change of the picture' }),
  delivery_email: z.string().optional(),
};

/** A user of the organisation, as sent at registration and in events. */
export const realmUser = z
  .object({
    ...personShape,
    is_guest: z.boolean(),
    bot_type: z.int().optional(),
    bot_owner_id: z.int().nullable().optional(),
    profile_data: profileData.optional(),
  })
  .meta({ id: 'RealmUser' });
export type RealmUser = Wire<typeof realmUser>;

/** The account that sends the server's own messages. */
export const crossRealmBot = z
  .object({ ...personShape, is_system_bot: z.boolean().optional() })
  .meta({ id: 'CrossRealmBot' });

/** An element of `members`. */
export const user = z
  .object({
    ...personShape,
    is_guest: z.boolean(),
    is_active: z.boolean(),
    bot_type: z.int().nullable(),
    bot_owner_id: z.int().nullable().optional(),
    bot_owner: z.string().nullable().optional(),
    profile_data: profileData.optional(),
  })
  .meta({ id: 'User' });

export const usersAnswer = z.object({ members: z.array(user) });

export const ownUser = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  short_name: z.string(),
  avatar_url: z.string(),
  client_id: z.string(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  is_active: z.boolean(),
  timezone: z.string(),
  date_joined: time,
  pointer: z.int(),
  max_message_id: z.int(),
  profile_data: profileData,
});

export const key = z.object({ api_key: z.string() });
export const loginAnswer = z.object({ api_key: z.string(), email: z.string(), user_id: z.int().optional() });

export const accountAnswer = z.object({
  full_name: z.string().optional(),
  account_email: z.string().optional().meta({ description: 'The new address awaits its confirmation' }),
});
export const pointerAnswer = z.object({ pointer: z.int() });
export const alertWordsAnswer = z.object({ alert_words: z.array(z.string()) });

export const userStatus = z
  .object({
    away: z.boolean().optional(),
    status_text: z.string().optional(),
    emoji_name: z.string().optional(),
    emoji_code: z.string().optional(),
    reaction_type: z.string().optional(),
    scheduled_end_time: z.int().nullable().optional().meta({ description: 'Seconds since 1970; null: it has no end' }),
  })
  .meta({ id: 'PersonStatus' });

export const userGroup = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    members: z.array(z.int()),
    direct_subgroup_ids: z.array(z.int()).meta({ description: 'The groups directly in it' }),
    direct_member_ids: z
      .array(z.int())
      .optional()
      .meta({ description: 'For the clients of today: the same as members' }),
    is_system_group: z.boolean(),
    deactivated: z.boolean().optional().meta({ description: 'For the clients of today: never, a group is removed' }),
  })
  .meta({ id: 'UserGroup' });
export const groupMembersAnswer = z.object({ members: z.array(z.int()) });
export const userGroupsAnswer = z.object({ user_groups: z.array(userGroup) });
/** A message for each changed field. */
export const userGroupAnswer = z.object({ name: z.string().optional(), description: z.string().optional() });

export const profileField = z
  .object({
    id: z.int(),
    name: z.string(),
    hint: z.string(),
    type: z.int(),
    field_data: z.string().meta({ description: 'JSON: the choices, or the kind of external account' }),
    order: z.int(),
  })
  .meta({ id: 'ProfileField' });
export const profileFieldsAnswer = z.object({ custom_fields: z.array(profileField) });
export const created = z.object({ id: z.int() });

export const hotspot = z
  .object({ name: z.string(), title: z.string(), description: z.string(), delay: z.number() })
  .meta({ id: 'Hotspot', description: 'A step of the tour for new users; the delay is in seconds' });

export const mutedUser = z
  .object({ id: z.int(), timestamp: z.int() })
  .meta({ id: 'MutedUser', description: 'A user whom the reader has muted, and when, in Unix seconds' });

/** The text to show the user. A ping has none. */
export const zcommandAnswer = z.object({ msg: z.string() });

const developmentUser = z.object({ email: z.string(), realm_uri: z.string() });
export const developmentUsersAnswer = z.object({
  direct_admins: z.array(developmentUser),
  direct_users: z.array(developmentUser),
});

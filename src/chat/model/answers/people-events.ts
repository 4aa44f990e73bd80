/** Schemas of events about users, bots, and users' own state. */
import { z } from 'zod';
import { realmBot } from './bots';
import { presenceReport } from './presence';
import { attachment } from './realm';
import { hotspot, profileField, realmUser, userGroup } from './users';

const setting = z.union([z.boolean(), z.number(), z.string()]);
const brief = z.object({ user_id: z.int(), email: z.string(), full_name: z.string() });
const answer = z.object({ id: z.int(), value: z.string().nullable(), rendered_value: z.string().optional() });

/** The changed fields, besides id and address. */
const changedUser = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string().optional(),
  is_admin: z.boolean().optional(),
  is_guest: z.boolean().optional(),
  timezone: z.string().optional(),
  bot_owner_id: z.int().optional(),
  avatar_source: z.string().optional(),
  avatar_url: z.string().optional(),
  avatar_url_medium: z.string().optional(),
  new_email: z.string().optional(),
  custom_profile_field: answer.optional(),
});

const realmUserType = { type: z.literal('realm_user') };
const realmBotType = { type: z.literal('realm_bot') };
const changedBot = realmBot.partial().extend({ email: z.string(), user_id: z.int(), owner_id: z.int().optional() });

const groupType = { type: z.literal('user_group') };
const group = { ...groupType, group_id: z.int() };

const own = { type: z.literal('attachment'), upload_space_used: z.int() };

export const peopleEvents = {
  InvitesChangedEvent: z.object({ type: z.literal('invites_changed') }),
  UserAddedEvent: z.object({ ...realmUserType, op: z.literal('add'), person: realmUser }),
  UserRemovedEvent: z.object({ ...realmUserType, op: z.literal('remove'), person: brief }),
  UserChangedEvent: z.object({ ...realmUserType, op: z.literal('update'), person: changedUser }),
  BotAddedEvent: z.object({ ...realmBotType, op: z.literal('add'), bot: realmBot }),
  BotRemovedEvent: z.object({
    ...realmBotType,
    op: z.literal('remove'),
    bot: brief.extend({ api_key: z.string().optional() }),
  }),
  BotChangedEvent: z.object({ ...realmBotType, op: z.literal('update'), bot: changedBot }),
  PresenceEvent: z.object({
    type: z.literal('presence'),
    email: z.string(),
    server_timestamp: z.number(),
    presence: z.record(z.string(), presenceReport).meta({ description: 'By client' }),
  }),
  UserStatusEvent: z.object({
    type: z.literal('user_status'),
    user_id: z.int(),
    away: z.boolean().optional(),
    status_text: z.string().optional(),
  }),
  HotspotsEvent: z.object({ type: z.literal('hotspots'), hotspots: z.array(hotspot) }),
  UserGroupAddedEvent: z.object({ ...groupType, op: z.literal('add'), group: userGroup }),
  UserGroupRemovedEvent: z.object({ ...group, op: z.literal('remove') }),
  UserGroupChangedEvent: z.object({
    ...group,
    op: z.literal('update'),
    data: z.object({ name: z.string().optional(), description: z.string().optional() }),
  }),
  UserGroupMembersEvent: z.object({
    ...group,
    op: z.enum(['add_members', 'remove_members']),
    user_ids: z.array(z.int()),
  }),
  ProfileFieldsEvent: z.object({
    type: z.literal('custom_profile_fields'),
    op: z.enum(['add', 'update', 'delete']),
    fields: z.array(profileField),
  }),
  AlertWordsEvent: z.object({ type: z.literal('alert_words'), alert_words: z.array(z.string()) }),
  MutedTopicsEvent: z.object({
    type: z.literal('muted_topics'),
    muted_topics: z.array(z.tuple([z.string(), z.string()])),
  }),
  PointerEvent: z.object({ type: z.literal('pointer'), pointer: z.int() }),
  DisplaySettingEvent: z.object({
    type: z.literal('update_display_settings'),
    user: z.string(),
    setting_name: z.string(),
    setting,
    language_name: z.string().optional(),
  }),
  NotificationSettingEvent: z.object({
    type: z.literal('update_global_notifications'),
    user: z.string(),
    notification_name: z.string(),
    setting,
  }),
  AttachmentAddedEvent: z.object({ ...own, op: z.literal('add'), attachment }),
  AttachmentChangedEvent: z.object({ ...own, op: z.literal('update'), attachment }),
  AttachmentRemovedEvent: z.object({ ...own, op: z.literal('remove'), attachment: z.object({ id: z.int() }) }),
};

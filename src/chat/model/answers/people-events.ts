/** Schemas of events about users, bots, and users' own state. */
import { z } from 'zod';
import { realmBot } from './bots';
import { wireDraft } from './drafts';
import { presenceReport } from './presence';
import { attachment } from './realm';
import { wireReminder, wireScheduledMessage } from './scheduled';
import { userTopic } from './streams';
import { hotspot, mutedUser, profileField, realmUser, userGroup, userStatus } from './users';

/** An event of this type. Every event also has an id in its queue, which events.ts adds. */
export const event = (type: string, fields: z.ZodRawShape) => z.object({ type: z.literal(type), ...fields });

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
  delivery_email: z.string().optional(),
  custom_profile_field: answer.optional(),
  role: z.int().optional(),
  is_active: z.boolean().optional(),
  avatar_version: z.int().optional(),
});

const changedBot = realmBot.partial().extend({ email: z.string(), user_id: z.int(), owner_id: z.int().optional() });

const group = { group_id: z.int() };
const space = { upload_space_used: z.int() };

export const peopleEvents = {
  InvitesChangedEvent: event('invites_changed', {}),
  UserAddedEvent: event('realm_user', { op: z.literal('add'), person: realmUser }),
  UserRemovedEvent: event('realm_user', { op: z.literal('remove'), person: brief }),
  UserChangedEvent: event('realm_user', { op: z.literal('update'), person: changedUser }),
  BotAddedEvent: event('realm_bot', { op: z.literal('add'), bot: realmBot }),
  BotRemovedEvent: event('realm_bot', {
    op: z.literal('remove'),
    bot: brief.extend({ api_key: z.string().optional() }),
  }),
  BotChangedEvent: event('realm_bot', { op: z.literal('update'), bot: changedBot }),
  PresenceEvent: event('presence', {
    email: z.string(),
    user_id: z.int().optional(),
    server_timestamp: z.number(),
    presence: z.record(z.string(), presenceReport).meta({ description: 'By client' }),
  }),
  UserStatusEvent: event('user_status', {
    user_id: z.int(),
    ...userStatus.shape,
  }),
  HotspotsEvent: event('hotspots', { hotspots: z.array(hotspot) }),
  UserGroupAddedEvent: event('user_group', { op: z.literal('add'), group: userGroup }),
  UserGroupRemovedEvent: event('user_group', { ...group, op: z.literal('remove') }),
  UserGroupChangedEvent: event('user_group', {
    ...group,
    op: z.literal('update'),
    data: z.object({ name: z.string().optional(), description: z.string().optional() }),
  }),
  UserGroupMembersEvent: event('user_group', {
    ...group,
    op: z.enum(['add_members', 'remove_members']),
    user_ids: z.array(z.int()),
  }),
  UserSubgroupsEvent: event('user_group', {
    ...group,
    op: z.enum(['add_subgroups', 'remove_subgroups']),
    direct_subgroup_ids: z.array(z.int()),
  }),
  ProfileFieldsEvent: event('custom_profile_fields', {
    op: z.enum(['add', 'update', 'delete']),
    fields: z.array(profileField),
  }),
  DraftsAddedEvent: event('drafts', { op: z.literal('add'), drafts: z.array(wireDraft) }),
  DraftChangedEvent: event('drafts', { op: z.literal('update'), draft: wireDraft }),
  DraftRemovedEvent: event('drafts', { op: z.literal('remove'), draft_id: z.int() }),
  MessagesScheduledEvent: event('scheduled_messages', {
    op: z.literal('add'),
    scheduled_messages: z.array(wireScheduledMessage),
  }),
  ScheduledMessageChangedEvent: event('scheduled_messages', {
    op: z.literal('update'),
    scheduled_message: wireScheduledMessage,
  }),
  ScheduledMessageRemovedEvent: event('scheduled_messages', {
    op: z.literal('remove'),
    scheduled_message_id: z.int(),
  }),
  RemindersAddedEvent: event('reminders', { op: z.literal('add'), reminders: z.array(wireReminder) }),
  ReminderRemovedEvent: event('reminders', { op: z.literal('remove'), reminder_id: z.int() }),
  AlertWordsEvent: event('alert_words', { alert_words: z.array(z.string()) }),
  MutedTopicsEvent: event('muted_topics', { muted_topics: z.array(z.tuple([z.string(), z.string()])) }),
  MutedUsersEvent: event('muted_users', { muted_users: z.array(mutedUser) }),
  UserTopicEvent: event('user_topic', userTopic.shape),
  PointerEvent: event('pointer', { pointer: z.int() }),
  DisplaySettingEvent: event('update_display_settings', {
    user: z.string(),
    setting_name: z.string(),
    setting,
    language_name: z.string().optional(),
  }),
  NotificationSettingEvent: event('update_global_notifications', {
    user: z.string(),
    notification_name: z.string(),
    setting,
  }),
  UserSettingEvent: event('user_settings', {
    op: z.literal('update'),
    property: z.string(),
    value: setting,
    language_name: z.string().optional(),
  }),
  AttachmentAddedEvent: event('attachment', { ...space, op: z.literal('add'), attachment }),
  AttachmentChangedEvent: event('attachment', { ...space, op: z.literal('update'), attachment }),
  AttachmentRemovedEvent: event('attachment', {
    ...space,
    op: z.literal('remove'),
    attachment: z.object({ id: z.int() }),
  }),
};

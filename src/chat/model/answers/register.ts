/** The schema of the register response: the queue, and the requested initial state. */
import { z } from 'zod';
import { REALM_SETTINGS } from '../organisation/realm-settings';
import { realmBot } from './bots';
import { wireDraft } from './drafts';
import { realmDomain, streamGroup } from './organisation';
import { presences } from './presence';
import { wireReminder, wireScheduledMessage } from './scheduled';
import { displayShape, linkifier, notificationShape, realmEmoji, realmSettingSchema, todayLinkifier } from './realm';
import { folderState } from './stream-folders';
import { neverSubscribed, stream, subscriptionWithSubscribers, userTopic } from './streams';
import { crossRealmBot, hotspot, mutedUser, profileField, realmUser, userGroup, userStatus } from './users';

const ids = z.array(z.int());

export const unread = z
  .object({
    count: z.int(),
    pms: z.array(z.object({ sender_id: z.int(), other_user_id: z.int().optional(), unread_message_ids: ids })),
    streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: ids, sender_ids: ids })),
    huddles: z.array(z.object({ user_ids_string: z.string(), unread_message_ids: ids })),
    mentions: ids,
    old_unreads_missing: z.boolean().optional(),
  })
  .meta({ id: 'UnreadMessages' });

const account = {
  drafts: z.array(wireDraft),
  scheduled_messages: z.array(wireScheduledMessage),
  reminders: z.array(wireReminder),
  max_reminder_note_length: z.int(),
  alert_words: z.array(z.string()),
  hotspots: z.array(hotspot),
  muted_topics: z
    .array(z.union([z.tuple([z.string(), z.string()]), z.tuple([z.string(), z.string(), z.int()])]))
    .meta({ description: 'Names of stream and topic; for the clients of today also since when' }),
  user_topics: z.array(userTopic),
  pointer: z.int(),
  ...displayShape,
  emojiset_choices: z.array(z.object({ key: z.string(), text: z.string() })),
  ...notificationShape,
  available_notification_sounds: z.array(z.string()),
};

const messages = {
  max_message_id: z.int(),
  recent_private_conversations: z.array(z.object({ max_message_id: z.int(), user_ids: ids })),
  starred_messages: ids,
  unread_msgs: unread,
};

const people = {
  custom_profile_fields: z.array(profileField),
  custom_profile_field_types: z.record(z.string(), z.object({ id: z.int(), name: z.string() })),
  presences,
  realm_bots: z.array(realmBot),
  realm_users: z.array(realmUser),
  realm_non_active_users: z.array(realmUser),
  cross_realm_bots: z.array(crossRealmBot),
  realm_user_groups: z.array(userGroup),
  user_status: z.record(z.string(), userStatus).meta({ description: 'By user id' }),
};

const oneself = {
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.string(),
  full_name: z.string(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  avatar_source: z.string(),
  avatar_url: z.string(),
  avatar_url_medium: z.string(),
  can_create_streams: z.boolean(),
  can_subscribe_other_users: z.boolean(),
  enter_sends: z.boolean(),
  send_read_receipts: z.boolean(),
};

const externalAccount = z.object({ text: z.string(), name: z.string(), hint: z.string(), url_pattern: z.string() });

const realm = {
  ...Object.fromEntries(REALM_SETTINGS.map((name) => [`realm_${name}`, realmSettingSchema(name)])),
  max_icon_file_size: z.int().meta({ description: 'Megabytes' }),
  max_logo_file_size: z.int().meta({ description: 'Megabytes' }),
  realm_icon_source: z.string(),
  realm_icon_url: z.string(),
  realm_logo_url: z.string(),
  realm_logo_source: z.string(),
  realm_night_logo_url: z.string(),
  realm_night_logo_source: z.string(),
  realm_is_zephyr_mirror_realm: z.boolean(),
  realm_push_notifications_enabled: z.boolean(),
  realm_upload_quota: z.int().nullable(),
  realm_enable_read_receipts: z.boolean(),
  realm_plan_type: z.int(),
  plan_includes_wide_organization_logo: z.boolean(),
  upgrade_text_for_wide_organization_logo: z.string(),
  settings_send_digest_emails: z.boolean(),
  realm_available_video_chat_providers: z.record(z.string(), z.object({ name: z.string(), id: z.int() })),
  realm_default_external_accounts: z.record(z.string(), externalAccount),
  realm_name: z.string(),
  realm_description: z.string(),
  realm_uri: z.string(),
  jitsi_server_url: z.string(),
  realm_bot_domain: z.string(),
  realm_authentication_methods: z.record(z.string(), z.boolean()),
  realm_email_auth_enabled: z.boolean(),
  realm_password_auth_enabled: z.boolean(),
  realm_domains: z.array(realmDomain),
  realm_emoji: realmEmoji,
  realm_filters: z.array(linkifier),
  realm_embedded_bots: z.array(z.unknown()),
  realm_incoming_webhook_bots: z.array(z.object({ name: z.string(), config: z.record(z.string(), z.string()) })),
  stop_words: z.array(z.string()),
  zulip_version: z.string(),
};

const setting = z.union([z.boolean(), z.number(), z.string()]);

const thumbnailFormat = z.object({
  name: z.string(),
  max_width: z.int(),
  max_height: z.int(),
  format: z.string(),
  animated: z.boolean(),
});

/** For today's clients. */
const today = {
  zulip_feature_level: z.int(),
  zulip_merge_base: z.string(),
  max_stream_name_length: z.int(),
  max_topic_length: z.int(),
  max_file_upload_size_mib: z.int(),
  realm_linkifiers: z.array(todayLinkifier),
  muted_users: z.array(mutedUser),
  presence_last_update_id: z.int(),
  server_presence_ping_interval_seconds: z.int(),
  server_presence_offline_threshold_seconds: z.int(),
  server_typing_started_expiry_period_milliseconds: z.int(),
  server_typing_stopped_wait_period_milliseconds: z.int(),
  server_typing_started_wait_period_milliseconds: z.int(),
  realm_wildcard_mention_policy: z.int(),
  realm_delete_own_message_policy: z.int(),
  realm_can_delete_own_message_group: z.int().meta({ description: 'The id of a group by role' }),
  realm_can_delete_any_message_group: z.int(),
  realm_topics_policy: z.string(),
  server_thumbnail_formats: z.array(thumbnailFormat),
  realm_empty_topic_display_name: z.string(),
  realm_message_content_edit_limit_seconds: z.number().nullable(),
  realm_message_content_delete_limit_seconds: z.number().nullable(),
  realm_url: z.string(),
  server_emoji_data_url: z.string(),
  event_queue_longpoll_timeout_seconds: z.int(),
  user_settings: z.record(z.string(), z.union([setting, z.array(z.unknown())])),
};

const streams = {
  streams: z.array(stream),
  stream_name_max_length: z.int(),
  stream_description_max_length: z.int(),
  subscriptions: z.array(subscriptionWithSubscribers),
  unsubscribed: z.array(subscriptionWithSubscribers),
  never_subscribed: z.array(neverSubscribed),
  realm_default_streams: z.array(stream),
  realm_default_stream_groups: z.array(streamGroup),
  ...folderState,
};

const state = z.object({ ...account, ...messages, ...people, ...oneself, ...realm, ...streams, ...today }).partial();

/** The keys depend on fetch_event_types. */
export const registerAnswer = state.extend({ queue_id: z.string(), last_event_id: z.int() });

/** An organisation's settings with Zulip's defaults, under their wire names without the `realm_` prefix. */

export interface RealmSettings {
  readonly add_emoji_by_admins_only: boolean;
  readonly allow_community_topic_editing: boolean;
  readonly allow_edit_history: boolean;
  readonly allow_message_deleting: boolean;
  readonly allow_message_editing: boolean;
  readonly avatar_changes_disabled: boolean;
  /** 1 everyone, 2 only administrators create generic bots, 3 administrators only. */
  readonly bot_creation_policy: number;
  /** 1 members, 2 administrators, 3 members after the waiting period. */
  readonly create_stream_policy: number;
  readonly default_language: string;
  readonly default_twenty_four_hour_time: boolean;
  readonly digest_emails_enabled: boolean;
  /** 0 is Monday. */
  readonly digest_weekday: number;
  readonly disallow_disposable_email_addresses: boolean;
  /** 1 everyone, 2 members, 3 administrators, 4 nobody. */
  readonly email_address_visibility: number;
  readonly email_changes_disabled: boolean;
  readonly emails_restricted_to_domains: boolean;
  readonly google_hangouts_domain: string;
  readonly inline_image_preview: boolean;
  readonly inline_url_embed_preview: boolean;
  readonly invite_by_admins_only: boolean;
  readonly invite_required: boolean;
  /** As create_stream_policy, for subscribing others. */
  readonly invite_to_stream_policy: number;
  readonly mandatory_topics: boolean;
  readonly message_content_allowed_in_email_notifications: boolean;
  /** Seconds; 0 means no limit. */
  readonly message_content_delete_limit_seconds: number;
  /** Seconds; 0 means no limit. */
  readonly message_content_edit_limit_seconds: number;
  readonly message_retention_days: number | null;
  readonly name_changes_disabled: boolean;
  /** Where new streams are announced; −1 means nowhere. */
  readonly notifications_stream_id: number;
  readonly presence_disabled: boolean;
  readonly send_welcome_emails: boolean;
  /** Where new users are announced; −1 means nowhere. */
  readonly signup_notifications_stream_id: number;
  /** 1 members, 2 administrators. */
  readonly user_group_edit_policy: number;
  readonly video_chat_provider: number;
  /** Days. */
  readonly waiting_period_threshold: number;
  readonly zoom_api_key: string;
  readonly zoom_api_secret: string;
  readonly zoom_user_id: string;
}

export type RealmSetting = keyof RealmSettings;

export const REALM_DEFAULTS: RealmSettings = {
  add_emoji_by_admins_only: false,
  allow_community_topic_editing: true,
  allow_edit_history: true,
  allow_message_deleting: false,
  allow_message_editing: true,
  avatar_changes_disabled: false,
  bot_creation_policy: 1,
  create_stream_policy: 1,
  default_language: 'en',
  default_twenty_four_hour_time: false,
  digest_emails_enabled: false,
  digest_weekday: 1,
  disallow_disposable_email_addresses: true,
  email_address_visibility: 1,
  email_changes_disabled: false,
  emails_restricted_to_domains: false,
  google_hangouts_domain: '',
  inline_image_preview: true,
  inline_url_embed_preview: false,
  invite_by_admins_only: false,
  invite_required: true,
  invite_to_stream_policy: 1,
  mandatory_topics: false,
  message_content_allowed_in_email_notifications: true,
  message_content_delete_limit_seconds: 600,
  message_content_edit_limit_seconds: 600,
  message_retention_days: null,
  name_changes_disabled: false,
  notifications_stream_id: -1,
  presence_disabled: false,
  send_welcome_emails: true,
  signup_notifications_stream_id: -1,
  user_group_edit_policy: 1,
  video_chat_provider: 1,
  waiting_period_threshold: 0,
  zoom_api_key: '',
  zoom_api_secret: '',
  zoom_user_id: '',
};

export const REALM_SETTINGS = Object.keys(REALM_DEFAULTS) as readonly RealmSetting[];

/** Only values that differ are stored, so a default may change with a release. */
export const readSettings = (stored: string): RealmSettings => ({
  ...REALM_DEFAULTS,
  ...(JSON.parse(stored) as Partial<RealmSettings>),
});

export function storedSettings(settings: RealmSettings): string {
  return JSON.stringify(
    Object.fromEntries(
      REALM_SETTINGS.filter((name) => settings[name] !== REALM_DEFAULTS[name]).map((name) => [name, settings[name]]),
    ),
  );
}

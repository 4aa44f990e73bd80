/** A user's own settings, each with its default and allowed values. Only values that differ are stored. */
import { badRequest } from '../faults';

export type SettingValue = boolean | number | string;
export type StoredSettings = Readonly<Record<string, SettingValue>>;

export interface Setting {
  readonly default: SettingValue;
  /** If absent, any value of the default's type is accepted. */
  readonly accepts?: (value: SettingValue) => boolean;
  /** The noun for an invalid value in the error message. */
  readonly what?: string;
  /** Stored even if it equals the default: who chose English may be in an organisation of another language. */
  readonly isKept?: boolean;
}

const oneOf =
  (...values: readonly SettingValue[]) =>
  (value: SettingValue) =>
    values.includes(value);

const EMOJI_SETS = [
  { key: 'google', text: 'Google modern' },
  { key: 'google-blob', text: 'Google classic' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const;

/** Sounds that clients ship: the page plays them itself (web/chat/notices/sounds.ts). */
const SOUNDS = ['bell', 'chime', 'ding', 'knock', 'ripple', 'zulip'];

const matching = (pattern: RegExp) => (value: SettingValue) => typeof value === 'string' && pattern.test(value);
const TIME = matching(/^([01]\d|2[0-3]):[0-5]\d$/);

function isTimezone(value: SettingValue): boolean {
  if (typeof value !== 'string' || value.length > 40) return false;
  if (value === '') return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

const isLanguage = (value: SettingValue) => typeof value === 'string' && /^[a-z]{2,3}([-_][A-Za-z]{2,8})?$/.test(value);

/** Changed by PATCH /settings/display. The time zone is a column of chat_users, because everyone sees it. */
export const DISPLAY_SETTINGS: Readonly<Record<string, Setting>> = {
  default_language: { default: 'en', accepts: isLanguage, what: 'language', isKept: true },
  demote_inactive_streams: { default: 1, accepts: oneOf(1, 2, 3), what: 'setting value' },
  dense_mode: { default: true },
  emojiset: { default: 'google-blob', accepts: oneOf(...EMOJI_SETS.map(({ key }) => key)), what: 'emojiset' },
  fluid_layout_width: { default: false },
  high_contrast_mode: { default: false },
  left_side_userlist: { default: false },
  night_mode: { default: false },
  starred_message_counts: { default: false },
  timezone: { default: '', accepts: isTimezone, what: 'timezone' },
  translate_emoticons: { default: false },
  twenty_four_hour_time: { default: false },
};

/** Changed by PATCH /settings/notifications. */
export const NOTIFICATION_SETTINGS: Readonly<Record<string, Setting>> = {
  desktop_icon_count_display: { default: 1, accepts: oneOf(1, 2, 3), what: 'setting value' },
  enable_desktop_notifications: { default: true },
  enable_digest_emails: { default: true },
  enable_followed_topic_audible_notifications: { default: true },
  enable_followed_topic_desktop_notifications: { default: true },
  enable_followed_topic_email_notifications: { default: true },
  enable_followed_topic_push_notifications: { default: true },
  enable_followed_topic_wildcard_mentions_notify: { default: true },
  enable_login_emails: { default: true },
  enable_offline_email_notifications: { default: true },
  enable_offline_push_notifications: { default: true },
  enable_online_push_notifications: { default: false },
  enable_quiet_hours: { default: false },
  enable_sounds: { default: true },
  enable_stream_audible_notifications: { default: false },
  enable_stream_desktop_notifications: { default: false },
  enable_stream_email_notifications: { default: false },
  enable_stream_push_notifications: { default: false },
  message_content_in_email_notifications: { default: true },
  notification_sound: { default: 'zulip', accepts: oneOf(...SOUNDS), what: 'notification sound' },
  pm_content_in_desktop_notifications: { default: true },
  /** Private messages and mentions come through. */
  quiet_hours_allow_personal: { default: false },
  /** The days on which they begin, 1 is Monday. */
  quiet_hours_days: { default: '1234567', accepts: matching(/^(?!.*(.).*\1)[1-7]{1,7}$/), what: 'days' },
  quiet_hours_from: { default: '22:00', accepts: TIME, what: 'time' },
  quiet_hours_to: { default: '07:00', accepts: TIME, what: 'time' },
  realm_name_in_notifications: { default: false },
  wildcard_mentions_notify: { default: true },
};

/** Changed by PATCH /settings alone. Clients of 2.1 do not know of most of them. */
export const OWN_SETTINGS: Readonly<Record<string, Setting>> = {
  /** Whether clients name those who reacted, where they are few. */
  display_emoji_reaction_users: { default: true },
  enter_sends: { default: false },
  /** Whether others learn when this user is there; without it, they are invisible. */
  presence_enabled: { default: true },
  /** Whether others learn that this user is typing. */
  send_private_typing_notifications: { default: true },
  send_stream_typing_notifications: { default: true },
  /** Whether others learn what this user has read. */
  send_read_receipts: { default: true },
  web_inbox_show_channel_folders: { default: true },
};

/** The progress of the tour. */
const TOUR_SETTINGS: Readonly<Record<string, Setting>> = {
  tutorial_status: { default: 'waiting' },
  /** Comma-separated names. */
  seen_hotspots: { default: '' },
};

const ALL = { ...DISPLAY_SETTINGS, ...NOTIFICATION_SETTINGS, ...OWN_SETTINGS, ...TOUR_SETTINGS };

export function checkSetting(name: string, value: SettingValue): void {
  const setting = ALL[name];
  if (setting?.accepts && !setting.accepts(value)) throw badRequest(`Invalid ${setting.what ?? 'value'} '${value}'`);
}

export const settingOf = (stored: StoredSettings, name: string): SettingValue => stored[name] ?? ALL[name]!.default;

/** What the user has chosen, and the default where that is the same. */
export const chosenSetting = (stored: StoredSettings, name: string): SettingValue | undefined =>
  ALL[name]!.isKept ? stored[name] : settingOf(stored, name);

/** Drops values that equal the default. */
export function withSetting(stored: StoredSettings, name: string, value: SettingValue): StoredSettings {
  const { [name]: _, ...others } = stored;
  const setting = ALL[name]!;
  return value === setting.default && !setting.isKept ? others : { ...others, [name]: value };
}

const filled = (table: Readonly<Record<string, Setting>>, stored: StoredSettings) =>
  Object.fromEntries(Object.keys(table).map((name) => [name, settingOf(stored, name)]));

/** As clients get them when they register. The time zone comes from the user's row. */
export const displaySettings = (stored: StoredSettings, timezone: string): Record<string, unknown> => ({
  ...filled(DISPLAY_SETTINGS, stored),
  timezone,
  emojiset_choices: EMOJI_SETS,
});

export const ownSettings = (stored: StoredSettings): Record<string, unknown> => filled(OWN_SETTINGS, stored);

export const notificationSettings = (stored: StoredSettings): Record<string, unknown> => ({
  ...filled(NOTIFICATION_SETTINGS, stored),
  available_notification_sounds: SOUNDS,
});

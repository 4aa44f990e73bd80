/** An organisation's settings with Zulip's defaults and rules, under their wire names without the `realm_` prefix. */
import { badArgument, badRequest, plain } from '../faults';

export const REALM_DEFAULTS = {
  add_emoji_by_admins_only: false,
  allow_community_topic_editing: true,
  allow_edit_history: true,
  allow_message_deleting: false,
  allow_message_editing: true,
  avatar_changes_disabled: false,
  /** 1 everyone, 2 only administrators create generic bots, 3 administrators only. */
  bot_creation_policy: 1,
  /** 1 members, 2 administrators, 3 members after the waiting period, 4 moderators. */
  create_stream_policy: 1,
  default_language: 'en',
  default_twenty_four_hour_time: false,
  digest_emails_enabled: false,
  /** 0 is Monday. */
  digest_weekday: 1,
  disallow_disposable_email_addresses: true,
  /** 1 everyone, 2 members, 3 administrators, 4 nobody. */
  email_address_visibility: 1,
  email_changes_disabled: false,
  emails_restricted_to_domains: false,
  google_hangouts_domain: '',
  inline_image_preview: true,
  inline_url_embed_preview: false,
  invite_by_admins_only: false,
  invite_required: true,
  /** As create_stream_policy, and 6 nobody. */
  invite_to_realm_policy: 1,
  /** As create_stream_policy, for subscribing others. */
  invite_to_stream_policy: 1,
  mandatory_topics: false,
  /** Where video calls of Jitsi are held; empty: where the server is configured to (JITSI_SERVER_URL). */
  jitsi_server_url: '',
  message_content_allowed_in_email_notifications: true,
  /** Ours: whether push notifications tell of senders, places and texts. */
  message_content_allowed_in_push_notifications: true,
  /** Seconds; 0 means no limit. */
  message_content_delete_limit_seconds: 600,
  /** Seconds; 0 means no limit. */
  message_content_edit_limit_seconds: 600,
  message_retention_days: null as number | null,
  name_changes_disabled: false,
  /** Where new streams are announced; −1 means nowhere. */
  notifications_stream_id: -1,
  presence_disabled: false,
  send_welcome_emails: true,
  /** Where new users are announced; −1 means nowhere. */
  signup_notifications_stream_id: -1,
  /** As create_stream_policy. */
  user_group_edit_policy: 1,
  video_chat_provider: 1,
  /** Days. */
  waiting_period_threshold: 0,
  zoom_api_key: '',
  zoom_api_secret: '',
  zoom_user_id: '',
  /** What the notification bot writes to new people; empty: a text of ours. */
  welcome_message_custom_text: '',
};

export type RealmSettings = Readonly<typeof REALM_DEFAULTS>;
export type RealmSetting = keyof RealmSettings;

export const REALM_SETTINGS = Object.keys(REALM_DEFAULTS) as readonly RealmSetting[];

/** Only values that differ are stored, so a default may change with a release. */
export const readSettings = (stored: string): RealmSettings =>
  withOneInvitePolicy({ ...REALM_DEFAULTS, ...(JSON.parse(stored) as Partial<RealmSettings>) });

/** Policies under which members may not invite, which clients of 2.1 know as "administrators only". */
const STRICT_INVITES: ReadonlySet<number> = new Set([2, 4, 6]);

/** A release that knows no policy writes only the older setting, so that one counts where they differ. */
function withOneInvitePolicy(settings: RealmSettings): RealmSettings {
  const { invite_by_admins_only: isStrict, invite_to_realm_policy: policy } = settings;
  return isStrict === STRICT_INVITES.has(policy) ? settings : { ...settings, invite_to_realm_policy: isStrict ? 2 : 1 };
}

/** The settings after these changes. Of the two for invitations, each follows the other. */
export function changedSettings(settings: RealmSettings, changes: Partial<RealmSettings>): RealmSettings {
  const { invite_to_realm_policy: policy } = changes;
  const older = policy === undefined ? {} : { invite_by_admins_only: STRICT_INVITES.has(policy) };
  return withOneInvitePolicy({ ...settings, ...changes, ...older });
}

export function storedSettings(settings: RealmSettings): string {
  return JSON.stringify(
    Object.fromEntries(
      REALM_SETTINGS.filter((name) => settings[name] !== REALM_DEFAULTS[name]).map((name) => [name, settings[name]]),
    ),
  );
}

export interface RealmChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly settings: Partial<RealmSettings>;
}

const NAME_LENGTH = 40;
const DESCRIPTION_LENGTH = 1000;
const TEXT_LENGTH = 200;
/** Zulip's. */
const WELCOME_LENGTH = 8000;

const CHOICES: Partial<Record<RealmSetting, readonly number[]>> = {
  bot_creation_policy: [1, 2, 3],
  create_stream_policy: [1, 2, 3, 4],
  invite_to_stream_policy: [1, 2, 3, 4],
  invite_to_realm_policy: [1, 2, 3, 4, 6],
  user_group_edit_policy: [1, 2, 3, 4],
  email_address_visibility: [1, 2, 3, 4],
  digest_weekday: [0, 1, 2, 3, 4, 5, 6],
  // Zulip's 2 has ended, and 3 (Zoom) begins calls with an account that this server does not have.
  video_chat_provider: [0, 1],
};

const STREAMS: ReadonlySet<RealmSetting> = new Set(['notifications_stream_id', 'signup_notifications_stream_id']);

/** Throws Zulip's message for the first invalid value. */
export function checkRealmChanges({ name, description, settings }: RealmChanges): void {
  if (name?.trim() === '') throw plain('Organization name must not be empty.');
  if (tooLong(name, NAME_LENGTH)) throw plain('Organization name is too long.');
  if (tooLong(description, DESCRIPTION_LENGTH)) throw plain('Organization description is too long.');
  for (const [key, value] of Object.entries(settings)) checkSetting(key as RealmSetting, value);
}

const tooLong = (text: string | undefined, most: number): boolean => Array.from(text ?? '').length > most;

function checkSetting(name: RealmSetting, value: boolean | number | string | null): void {
  if (name === 'message_retention_days') {
    if (value !== null && (value as number) < 1) throw badArgument(name, String(value));
    return;
  }
  if (typeof value !== typeof REALM_DEFAULTS[name]) throw badRequest(`${name} is not ${articled(name)}`);
  if (typeof value === 'number') checkNumber(name, value);
  if (typeof value === 'string') checkText(name, value);
}

const articled = (name: RealmSetting): string =>
  ({ boolean: 'a boolean', number: 'an integer' })[typeof REALM_DEFAULTS[name] as string] ?? 'a string';

/** The largest value that clients' columns can hold. */
const MAX = 2 ** 31 - 1;

function checkNumber(name: RealmSetting, value: number): void {
  const choices = CHOICES[name];
  if (choices && !choices.includes(value)) throw badRequest(`Invalid ${name}`);
  const least = STREAMS.has(name) ? -1 : 0;
  if (!Number.isInteger(value) || value < least || value > MAX) throw badArgument(name, String(value));
}

function checkText(name: RealmSetting, value: string): void {
  if (name === 'default_language' && !/^[a-z]{2,3}([-_][A-Za-z]{2,8})?$/.test(value))
    throw badRequest(`Invalid language '${value}'`);
  if (name === 'jitsi_server_url' && value !== '' && !isWebAddress(value)) throw badRequest(`Invalid ${name}`);
  const most = name === 'welcome_message_custom_text' ? WELCOME_LENGTH : TEXT_LENGTH;
  if (tooLong(value, most)) throw badRequest(`${name} is too long (limit: ${most} characters)`);
}

function isWebAddress(text: string): boolean {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  return /^https?:$/.test(protocol) && !/[\s()<>]/.test(text);
}

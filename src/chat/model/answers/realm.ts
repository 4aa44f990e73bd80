/** Schemas of the organisation, the server, and uploaded files. */
import { z } from 'zod';
import { REALM_DEFAULTS, REALM_SETTINGS, type RealmSetting } from '../organisation/realm-settings';
import { DISPLAY_SETTINGS, NOTIFICATION_SETTINGS, type Setting, type SettingValue } from '../users/user-settings';

function schemaOf(usual: SettingValue): z.ZodType<SettingValue> {
  if (typeof usual === 'boolean') return z.boolean();
  return typeof usual === 'number' ? z.number() : z.string();
}

export function realmSettingSchema(name: RealmSetting): z.ZodType<SettingValue | null> {
  return name === 'message_retention_days' ? z.int().nullable() : schemaOf(REALM_DEFAULTS[name] ?? 0);
}

const settingsOf = (table: Readonly<Record<string, Setting>>) =>
  Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, schemaOf(setting.default)]));

export const displayShape = settingsOf(DISPLAY_SETTINGS);
export const notificationShape = settingsOf(NOTIFICATION_SETTINGS);

/** Only the settings that changed. */
export const displayAnswer = z.object(displayShape).partial();
export const notificationsAnswer = z.object(notificationShape).partial();
/** As in Zulip: of texts only that they changed. */
export const realmAnswer = z
  .object(Object.fromEntries([...REALM_SETTINGS, 'name', 'description'].map((name) => [name, changedValue(name)])))
  .partial();

function changedValue(name: string): z.ZodType {
  const schema = name in REALM_DEFAULTS ? realmSettingSchema(name as RealmSetting) : z.string();
  return schema instanceof z.ZodString ? z.literal('updated') : schema;
}

const methods = z.record(z.string(), z.boolean()).meta({ description: 'By name of the method' });

const externalMethod = z.object({
  name: z.string(),
  display_name: z.string(),
  display_icon: z.string().nullable(),
  login_url: z.string(),
  signup_url: z.string(),
});
export type ExternalMethod = z.output<typeof externalMethod>;

export const serverSettingsAnswer = z.object({
  authentication_methods: methods,
  external_authentication_methods: z.array(externalMethod),
  chat_version: z.string(),
  zulip_version: z.string(),
  zulip_feature_level: z
    .int()
    .optional()
    .meta({ description: 'Unless `CHAT_FEATURE_LEVEL` is `off`, as the next ones' }),
  zulip_merge_base: z.string().optional(),
  realm_web_public_access_enabled: z.boolean().optional(),
  realm_url: z.string().optional(),
  push_notifications_enabled: z.boolean(),
  is_incompatible: z.boolean(),
  email_auth_enabled: z.boolean(),
  require_email_format_usernames: z.boolean(),
  realm_uri: z.string().optional(),
  realm_name: z.string().optional(),
  realm_icon: z.string().optional(),
  realm_description: z.string().optional().meta({ description: 'HTML' }),
});

export const emojiDataAnswer = z.object({
  code_to_names: z.record(z.string(), z.array(z.string())).meta({ description: 'By code points, the main name first' }),
});

export const oneEmoji = z
  .object({
    id: z.string(),
    name: z.string(),
    source_url: z.string(),
    deactivated: z.boolean(),
    author: z.object({ id: z.int(), email: z.string(), full_name: z.string() }),
    author_id: z.int().optional(),
  })
  .meta({ id: 'RealmEmoji' });
export const realmEmoji = z.record(z.string(), oneEmoji).meta({ description: 'By id' });
export const realmEmojiAnswer = z.object({ emoji: realmEmoji });

export const linkifier = z
  .tuple([z.string(), z.string(), z.int()])
  .meta({ id: 'Linkifier', description: 'Pattern, URL format and id' });
export const linkifiersAnswer = z.object({ filters: z.array(linkifier) });
export const todayLinkifier = z
  .object({ id: z.int(), pattern: z.string(), url_template: z.string() })
  .meta({ id: 'TodayLinkifier' });
export const todayLinkifiersAnswer = z.object({ linkifiers: z.array(todayLinkifier) });

export const attachment = z
  .object({
    id: z.int(),
    name: z.string(),
    path_id: z.string(),
    size: z.int(),
    create_time: z.int().meta({ description: 'Milliseconds since 1970' }),
    messages: z.array(z.object({ id: z.int(), name: z.int() })),
  })
  .meta({ id: 'Attachment' });
export const attachmentsAnswer = z.object({ attachments: z.array(attachment), upload_space_used: z.int() });
export const avatarAnswer = z.object({ avatar_url: z.string() });
export const iconAnswer = z.object({ icon_url: z.string() });
export const uploadAnswer = z.object({
  uri: z.string(),
  url: z.string().optional().meta({ description: 'The same, by its name of today' }),
  filename: z.string().optional(),
});
export const temporaryAnswer = z.object({ url: z.string() });

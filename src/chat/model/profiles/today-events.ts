/** Events for today's clients, made of those for clients of 2.1. They keep the older spellings beside the newer ones. */
import { asciiJson } from '../../../kernel/text/ascii-json';
import type { EntryHead } from '../events/event';
import { todayHtml } from './today-html';
import { POST_POLICY } from '../streams/stream';

// oxlint-disable-next-line typescript/no-explicit-any -- events of every shape
type Written = Record<string, any>;
type Rewrite = (event: Written) => Written;

const setting =
  (name: string): Rewrite =>
  ({ setting: value, [name]: property, language_name: language }) => ({
    type: 'user_settings',
    op: 'update',
    property,
    value,
    language_name: language,
  });

const withHtml: Rewrite = (event) => {
  const texts = ['', 'orig_'].filter((which) => typeof event[`${which}rendered_content`] === 'string');
  const shown = (which: string) =>
    todayHtml(event[`${which}rendered_content`] as string, () => String(event[`${which}content`]));
  return { ...event, ...Object.fromEntries(texts.map((which) => [`${which}rendered_content`, shown(which)])) };
};

const subscription: Rewrite = (event) => {
  if (event['op'] === 'update' && event['property'] === 'in_home_view')
    return { ...event, property: 'is_muted', value: event['value'] !== true };
  return event['op'] === 'peer_add' || event['op'] === 'peer_remove'
    ? { ...event, user_ids: [event['user_id']] }
    : event;
};

const policyOf = (isForAdmins: boolean): number => (isForAdmins ? POST_POLICY.admins : POST_POLICY.everybody);

const stream: Rewrite = (event) => {
  if (event['property'] === 'invite_only') return { ...event, is_web_public: false };
  if (event['property'] === 'is_announcement_only')
    return { ...event, property: 'stream_post_policy', value: policyOf(event['value'] === true) };
  return event['op'] === 'delete'
    ? { ...event, stream_ids: (event['streams'] as Written[]).map(({ stream_id: id }) => id as number) }
    : event;
};

const REWRITES: Readonly<Record<string, Rewrite>> = {
  delete_message: (event) => ({ ...event, message_ids: [event['message_id']] }),
  // What was published for these clients beside the event comes back into it.
  // Who is deactivated is still known, as the author of what they wrote.
  realm_user: (event) =>
    event['op'] === 'remove'
      ? {
          ...event,
          op: 'update',
          person: { user_id: event['person'].user_id, email: event['person'].email, is_active: false },
        }
      : event,
  realm_filters: () => ({ type: 'realm_linkifiers' }),
  reaction: (event) => ({ ...event, user_id: event['user'].user_id }),
  stream,
  subscription,
  typing: (event) => ({ message_type: 'direct', ...event }),
  update_display_settings: setting('setting_name'),
  update_global_notifications: setting('notification_name'),
  update_message: withHtml,
  update_message_flags: (event) => ({ ...event, op: event['operation'] }),
};

const TYPES: Readonly<Record<string, string>> = {
  realm_filters: 'realm_linkifiers',
  update_display_settings: 'user_settings',
  update_global_notifications: 'user_settings',
};

export const todayType = (type: string): string => TYPES[type] ?? type;

/** Most events are the same for both, and are not even parsed. */
export function todayEvent(payload: string, { type, today }: EntryHead): string {
  const rewrite = REWRITES[type];
  if (!rewrite && !today) return payload;
  const event = JSON.parse(payload) as Written;
  const rewritten = rewrite ? rewrite(event) : event;
  return asciiJson(JSON.stringify(today ? completed(rewritten, today) : rewritten));
}

/** Lists are completed element by element. */
function completed(written: unknown, more: unknown): unknown {
  if (Array.isArray(written) && Array.isArray(more)) return written.map((each, index) => completed(each, more[index]));
  if (!isObject(written) || !isObject(more)) return more === undefined ? written : more;
  const keys = Object.keys(more).map((key) => [key, completed(written[key], more[key])]);
  return { ...written, ...Object.fromEntries(keys) };
}

const isObject = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

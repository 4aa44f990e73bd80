/** The first requests of a view. No React here: they are sent before React is loaded. */
import { api, request, type RequestOptions } from '../../shared/http/request';
import { termsOf, type Narrow } from './narrow';
import type { MessagesAnswer, Registered, Session } from './wire';

/** An anchor beyond every message id: the newest messages. */
const NEWEST = 10_000_000_000_000_000;
const AROUND = 50;
export const PAGE = 100;
/** Recent conversations are those of so many messages. */
const RECENT = 500;

export interface Range {
  readonly anchor: number;
  readonly before: number;
  readonly after: number;
  readonly firstUnread?: boolean;
}

export const askSession = (): Promise<Session> => request<Session>('GET', '/web/session');

/**
 * The parts of the initial state that the page reads. The list of people is not among them: it may be long, and comes after
 * the first view (`people.ts`). Until then there are the user and the people of recent private conversations.
 */
export const FETCHED: readonly string[] = [
  'alert_words',
  'channel_folders',
  'custom_profile_fields',
  'default_streams',
  'known_people',
  'message',
  'muted_users',
  'user_topic',
  'realm',
  'realm_emoji',
  'realm_filters',
  'realm_incoming_webhook_bots',
  'realm_user_groups',
  'recent_private_conversations',
  'starred_messages',
  'subscription',
  'update_display_settings',
  'update_global_notifications',
  'update_message_flags',
  'user_status',
];

/** `onAccepted` is called as soon as there is a queue, before its answer has arrived. */
export function askQueue({
  signal,
  onAccepted,
}: Pick<RequestOptions, 'signal' | 'onAccepted'> = {}): Promise<Registered> {
  return api.post<Registered>(
    '/register',
    {
      apply_markdown: true,
      client_gravatar: true,
      client_capabilities: { notification_settings_null: false, archived_channels: true },
      comparable_ids: true,
      fetch_event_types: FETCHED,
    },
    { ...(signal && { signal }), ...(onAccepted && { onAccepted }), timeoutMs: 60_000 },
  );
}

export function askMessages(narrow: Narrow, range: Range): Promise<MessagesAnswer> {
  const { anchor, before, after, firstUnread = false } = range;
  return api.get<MessagesAnswer>('/messages', {
    narrow: termsOf(narrow),
    anchor,
    use_first_unread_anchor: firstUnread,
    num_before: before,
    num_after: after,
    apply_markdown: true,
    client_gravatar: true,
  });
}

/** The first message of a view since a moment; undefined if there is none. */
export async function firstSince(narrow: Narrow, date: Date): Promise<number | undefined> {
  const range = { num_before: 0, num_after: 0, anchor: 'date', anchor_date: date.toISOString() };
  const { anchor } = await api.get<MessagesAnswer>('/messages', { narrow: termsOf(narrow), ...range });
  return anchor < NEWEST ? anchor : undefined;
}

/** Searches start at the newest result, other views at the first unread message. */
export function startOf({ kind }: Narrow, near: number | undefined): Range {
  if (near !== undefined) return { anchor: near, before: AROUND, after: AROUND };
  if (kind === 'recent') return { anchor: NEWEST, before: RECENT, after: 0 };
  if (kind === 'search' || kind === 'starred') return { anchor: NEWEST, before: PAGE, after: 0 };
  return { anchor: 0, before: AROUND, after: AROUND, firstUnread: true };
}

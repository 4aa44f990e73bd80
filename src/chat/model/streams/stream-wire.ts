/** Streams and subscriptions in the wire format. */
import type { Wire } from '../../../kernel/text/wire';
import type { neverSubscribed, subscriptionView, subscriptionWithSubscribers, WireStream } from '../answers/streams';
import { settingOf, type StoredSettings } from '../users/user-settings';
import { POST_POLICY, type Stream, type StreamId } from './stream';
import type { Notification, Subscription } from './subscription';

/** The first message of each stream that has any. */
export type FirstMessages = ReadonlyMap<StreamId, number>;

export function wireStream(stream: Stream, first: FirstMessages): WireStream {
  return {
    name: stream.name,
    stream_id: stream.id,
    description: stream.description,
    rendered_description: stream.renderedDescription,
    invite_only: stream.isPrivate,
    is_web_public: false,
    is_announcement_only: stream.isAnnouncementOnly,
    history_public_to_subscribers: stream.isHistoryPublic,
    first_message_id: first.get(stream.id) ?? null,
    is_archived: stream.isArchived,
    folder_id: stream.folderId,
    // To clients of 2.1, `is_announcement_only` says the other two.
    ...(stream.postPolicy > POST_POLICY.admins ? { stream_post_policy: stream.postPolicy } : {}),
  };
}

/** Old enough for its traffic to be meaningful. */
const OLD_MS = 7 * 86_400_000;

interface AsOf {
  readonly first: FirstMessages;
  /** Streams that are recently active. */
  readonly lively: ReadonlySet<StreamId>;
  readonly now: Date;
}

/** A stream that the user may see but never subscribed to. */
export function wireNeverSubscribed(
  stream: Stream,
  { first, lively, now }: AsOf,
): Omit<Wire<typeof neverSubscribed>, 'subscribers'> {
  return {
    ...wireStream(stream, first),
    is_recently_active: lively.has(stream.id),
    is_old_stream: now.getTime() - stream.createdAt.getTime() >= OLD_MS,
    // Null means unknown, as for new streams: traffic is not counted.
    stream_weekly_traffic: null,
  };
}

export function wireSubscription(
  stream: Stream,
  subscription: SubscriptionView,
  asOf: AsOf,
): Omit<Wire<typeof subscriptionWithSubscribers>, 'subscribers'> {
  return {
    ...wireNeverSubscribed(stream, asOf),
    ...subscription,
    // The server has no mail gateway.
    email_address: '',
  };
}

/** The fields that a subscription adds to its stream. */
export type SubscriptionView = Wire<typeof subscriptionView>;

export function viewOf(
  { color, isMuted, isPinned, notify }: Pick<Subscription, 'color' | 'isMuted' | 'isPinned' | 'notify'>,
  general: StoredSettings,
): SubscriptionView {
  const resolved = (kind: Notification) => notify[kind] ?? settingOf(general, GENERAL[kind]) === true;
  return {
    color,
    is_muted: isMuted,
    in_home_view: !isMuted,
    pin_to_top: isPinned,
    desktop_notifications: resolved('desktop'),
    audible_notifications: resolved('audible'),
    push_notifications: resolved('push'),
    email_notifications: resolved('email'),
    wildcard_mentions_notify: resolved('wildcard'),
  };
}

/** The user's setting that applies if the subscription has none. */
const GENERAL: Readonly<Record<Notification, string>> = {
  desktop: 'enable_stream_desktop_notifications',
  audible: 'enable_stream_audible_notifications',
  push: 'enable_stream_push_notifications',
  email: 'enable_stream_email_notifications',
  wildcard: 'wildcard_mentions_notify',
};

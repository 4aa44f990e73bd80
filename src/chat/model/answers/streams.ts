/** Schemas of streams and subscriptions. */
import { z } from 'zod';
import type { Wire } from '../../../kernel/text/wire';

/** The id of a user group. */
const group = z.int();

const streamShape = {
  name: z.string(),
  stream_id: z.int(),
  description: z.string(),
  rendered_description: z.string(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  is_announcement_only: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  first_message_id: z.int().nullable(),
  is_archived: z.boolean(),
  folder_id: z.int().nullable(),
  date_created: z.int().optional().meta({ description: 'Seconds since 1970; for the clients of today, as the next' }),
  message_retention_days: z.int().nullable().optional().meta({ description: 'Null: as the organisation' }),
  stream_post_policy: z
    .int()
    .optional()
    .meta({ description: 'Who may write: 1 everybody, 2 administrators, 3 no newcomers, 4 moderators' }),
  creator_id: z.int().nullable().optional(),
  can_send_message_group: group.optional().meta({ description: 'The group by role that may write' }),
  can_add_subscribers_group: group.optional(),
  can_delete_any_message_group: group.optional(),
  can_delete_own_message_group: group.optional(),
  can_subscribe_group: group.optional(),
  topics_policy: z.string().optional(),
};

const isRecentlyActive = z
  .boolean()
  .meta({ description: 'Whether it is new or has had a message in the last 180 days' });

export const stream = z
  .object({
    ...streamShape,
    is_recently_active: isRecentlyActive.optional(),
    is_default: z.boolean().optional().meta({ description: 'Only with include_default' }),
  })
  .meta({ id: 'Stream' });
export type WireStream = Wire<typeof stream>;

const ownShape = {
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: z.boolean(),
  audible_notifications: z.boolean(),
  push_notifications: z.boolean(),
  email_notifications: z.boolean(),
  wildcard_mentions_notify: z.boolean(),
};
/** The fields that a subscription adds to its stream. */
export const subscriptionView = z.object(ownShape);

const neverSubscribedShape = {
  ...streamShape,
  is_recently_active: isRecentlyActive,
  is_old_stream: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
};
const subscriptionShape = { ...neverSubscribedShape, ...ownShape, email_address: z.string() };

export const subscription = z
  .object({
    ...subscriptionShape,
    subscribers: z.array(z.string()).optional().meta({ description: 'Email addresses' }),
  })
  .meta({ id: 'Subscription' });

const subscriberIds = { subscribers: z.array(z.int()).optional().meta({ description: 'User ids' }) };

/** As sent at registration and in events. */
export const subscriptionWithSubscribers = z
  .object({ ...subscriptionShape, ...subscriberIds })
  .meta({ id: 'SubscriptionWithSubscribers' });
export const neverSubscribed = z.object({ ...neverSubscribedShape, ...subscriberIds }).meta({ id: 'NeverSubscribed' });

export const streamsAnswer = z.object({ streams: z.array(stream) });
export const streamIdAnswer = z.object({ stream_id: z.int() });
export const streamMembersAnswer = z.object({ subscribers: z.array(z.string()) });
export const topicsAnswer = z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) });
export const foundTopicsAnswer = z.object({
  topics: z.array(z.object({ stream_id: z.int(), name: z.string(), max_id: z.int() })),
});

export const userTopic = z
  .object({
    stream_id: z.int(),
    topic_name: z.string(),
    last_updated: z.int().meta({ description: 'Seconds' }),
    visibility_policy: z
      .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
      .meta({ description: '0 none, 1 muted, 2 unmuted in a muted stream, 3 followed' }),
  })
  .meta({ id: 'UserTopic' });

export const subscriptionsAnswer = z.object({ subscriptions: z.array(subscription) });

const byEmail = z.record(z.string(), z.array(z.string())).meta({ description: 'Names of streams by email address' });
const subscribedShape = {
  subscribed: byEmail,
  already_subscribed: byEmail,
  unauthorized: z.array(z.string()).optional().meta({ description: 'Only with authorization_errors_fatal=false' }),
};
const unsubscribedShape = { removed: z.array(z.string()), not_removed: z.array(z.string()) };
export const subscribedAnswer = z.object(subscribedShape);
export const unsubscribedAnswer = z.object(unsubscribedShape);
export const changedSubscriptionsAnswer = z.object({ ...subscribedShape, ...unsubscribedShape });

const propertyChange = z.object({
  stream_id: z.int(),
  property: z.string(),
  value: z.union([z.string(), z.boolean()]),
});
export const propertiesAnswer = z.object({ subscription_data: z.array(propertyChange) });

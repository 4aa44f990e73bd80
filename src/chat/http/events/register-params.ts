/** What a client says when it registers an event queue. */
import { z } from 'zod';
import { flag, integer, jsonField, jsonText } from '../../../kernel/http/params';
import { profileFor } from '../../model/profiles/profiles';
import { checked, isBoolean, isDict, type Check } from '../json-checks';

/** Accepts a single pair, as in the specification; a list of pairs, as in Zulip; or a list of terms, as for reading. */
function asPairs(narrow: unknown): unknown {
  if (!Array.isArray(narrow)) return narrow;
  const isOnePair = narrow.length === 2 && narrow.every((each) => typeof each === 'string');
  return isOnePair ? [narrow] : narrow.map((each: unknown) => termSchema.safeParse(each).data ?? each);
}
const termSchema = z
  .strictObject({ operator: z.string(), operand: z.string(), negated: z.literal(false).optional() })
  .transform(({ operator, operand }) => [operator, operand]);

/** More than there are event types, and longer than any stream or user name. */
const MAX_TYPES = 100;
const MAX_TYPE_LENGTH = 60;
const MAX_TERMS = 20;
const MAX_OPERAND_LENGTH = 500;
const eventTypes = jsonField(
  z
    .array(z.string().max(MAX_TYPE_LENGTH, `is longer than ${MAX_TYPE_LENGTH} characters`))
    .max(MAX_TYPES, `has more than ${MAX_TYPES} entries`),
);
const pair = z.tuple([
  z.string(),
  z.string().max(MAX_OPERAND_LENGTH, `is longer than ${MAX_OPERAND_LENGTH} characters`),
]);

const NEWER_CAPABILITIES = {
  archived_channels: isBoolean,
  user_settings_object: isBoolean,
  stream_typing_notifications: isBoolean,
  individual_emoji_changes: isBoolean,
};
/** What this server does the same for every client. */
const OTHER_CAPABILITIES = [
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'empty_topic_name',
  'simplified_presence_events',
];
const NEWER = [...Object.keys(NEWER_CAPABILITIES), ...OTHER_CAPABILITIES];

/** Clients of 2.1 have one capability, which must be named. Notification settings are booleans whatever it says. */
const isCapable: Check<Readonly<Partial<Record<keyof typeof NEWER_CAPABILITIES, boolean>>>> = (place, value) => {
  const isOfToday = typeof value === 'object' && value !== null && NEWER.some((name) => Object.hasOwn(value, name));
  const older = { notification_settings_null: isBoolean };
  return isOfToday
    ? isDict({}, { ...older, ...NEWER_CAPABILITIES }, false)(place, value)
    : isDict(older, NEWER_CAPABILITIES, false)(place, value);
};

const COMPARABLE_IDS =
  'Counts the ids of events for all queues of the organisation alike, so that the ids of two queues can be compared. ' +
  '`last_event_id` is then the last event that the initial state contains.';

const ARCHIVED_CHANNELS =
  'With `archived_channels`, the client gets archived streams too (`is_archived`), and `update` events about them.';

const IDLE =
  'How many seconds the queue lives without a poll, as `queue_lifespan_secs`; `mobile` means 12 hours. No queue lives ' +
  'longer than `EVENT_LOG_WINDOW_MS`.';

export const registerParams = {
  apply_markdown: flag.optional(),
  client_avatar: flag.optional(),
  client_gravatar: flag.optional(),
  event_types: eventTypes.optional(),
  fetch_event_types: eventTypes.optional(),
  all_public_streams: flag.optional(),
  include_subscribers: flag.optional(),
  narrow: jsonField(z.preprocess(asPairs, z.array(pair).max(MAX_TERMS, `has more than ${MAX_TERMS} terms`))).optional(),
  client_capabilities: checked('client_capabilities', isCapable)
    .transform((given) => ({
      knowsArchive: given.archived_channels ?? false,
      hearsStreamTyping: given.stream_typing_notifications ?? false,
      hearsEachEmoji: given.individual_emoji_changes ?? false,
      hasUserSettings: given.user_settings_object ?? false,
    }))
    .meta({ ...jsonText({ type: 'object' }), description: ARCHIVED_CHANNELS })
    .optional(),
  queue_lifespan_secs: integer.optional(),
  idle_queue_timeout: jsonField(z.union([z.literal('mobile'), z.int()]))
    .optional()
    .meta({ description: IDLE }),
  slim_presence: flag.default(false).meta({ description: 'Names people in `presences` by their ids.' }),
  comparable_ids: flag.optional().meta({ description: COMPARABLE_IDS }),
};

export type RegisterParams = { readonly [K in keyof typeof registerParams]: z.output<(typeof registerParams)[K]> };

/** While a telephone sleeps. */
const MOBILE_SECONDS = 12 * 3600;

export function lifespanOf({ queue_lifespan_secs: seconds = 0, idle_queue_timeout: idle = 0 }: RegisterParams): number {
  return Math.max(seconds, idle === 'mobile' ? MOBILE_SECONDS : idle);
}

/** What the client says of its generation. */
export function clientFilters({ client_capabilities: able, event_types, fetch_event_types }: RegisterParams) {
  const { hasUserSettings = false, knowsArchive, hearsStreamTyping, hearsEachEmoji } = able ?? {};
  const profile = profileFor({ hasUserSettings, eventTypes: event_types, fetchTypes: fetch_event_types });
  return { knowsArchive, hearsStreamTyping, hearsEachEmoji, profile };
}

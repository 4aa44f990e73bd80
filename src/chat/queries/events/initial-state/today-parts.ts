/** The initial state for today's clients: what they read besides that of clients of 2.1, or instead of it. */
import { MAX_TOPIC_CHARACTERS, NO_TOPIC } from '../../../model/messages/message';
import { emojiDataUrl } from '../../../model/markdown/emoji-data';
import { todayPerson, todayStream } from '../../../model/profiles/today-shapes';
import { NAME_LENGTH } from '../../../model/streams/stream';
import { TOPIC_POLICY } from '../../../model/streams/topic-policy';
import { MAX_UPLOAD_MEGABYTES } from '../../../model/uploads/file';
import { THUMBNAIL_FORMATS } from '../../../model/uploads/picture-recipes';
import { SYSTEM_GROUPS } from '../../../model/users/system-groups';
import { versionOf } from '../../../model/wire';
import { emojiAuthorsRead, todayLinkifiersRead } from '../../organisation/realm-lists';
import type { StatePart, StateParts, StateView } from './part';
import { groupsByRole, withGroupsByRole } from '../../users/list-user-groups';
import { presencesIn } from './people-parts';

type State = Record<string, unknown>;
type Listed = readonly State[];

/** The part with more keys, which may depend on what it holds. */
const extended =
  (part: StatePart, more: (view: StateView, state: State) => Promise<State> | State): StatePart =>
  async (view) => {
    const state = await part(view);
    return { ...state, ...(await more(view, state)) };
  };

/** Zulip's own times, in which clients report presence and typing. */
const TIMES = {
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 140,
  server_typing_started_expiry_period_milliseconds: 15_000,
  server_typing_stopped_wait_period_milliseconds: 5000,
  server_typing_started_wait_period_milliseconds: 10_000,
};

const EVERYBODY = 1;

/** Zero means no limit to clients of 2.1, and no time at all to today's. */
const limitOf = (state: State, name: string): unknown => (state[name] === 0 ? null : state[name]);

const realm = ({ request: { settings, publicUrl } }: StateView, state: State): State => ({
  ...TIMES,
  max_stream_name_length: NAME_LENGTH,
  max_topic_length: MAX_TOPIC_CHARACTERS,
  max_file_upload_size_mib: MAX_UPLOAD_MEGABYTES,
  server_thumbnail_formats: THUMBNAIL_FORMATS.map(({ wire }) => wire),
  realm_wildcard_mention_policy: EVERYBODY,
  // Messages without a topic get this one, so clients need not know of nameless topics.
  realm_empty_topic_display_name: NO_TOPIC,
  realm_message_content_edit_limit_seconds: limitOf(state, 'realm_message_content_edit_limit_seconds'),
  realm_message_content_delete_limit_seconds: limitOf(state, 'realm_message_content_delete_limit_seconds'),
  realm_delete_own_message_policy: state['realm_allow_message_deleting'] === true ? EVERYBODY_DELETES : ADMINS_DELETE,
  realm_can_delete_own_message_group:
    state['realm_allow_message_deleting'] === true ? SYSTEM_GROUPS.everyone : SYSTEM_GROUPS.admins,
  realm_can_delete_any_message_group: SYSTEM_GROUPS.admins,
  realm_topics_policy: state['realm_mandatory_topics'] === true ? 'disable_empty_topic' : 'allow_empty_topic',
  realm_url: state['realm_uri'],
  server_emoji_data_url: `${publicUrl}${emojiDataUrl()}`,
  event_queue_longpoll_timeout_seconds: Math.ceil((settings.heartbeatMaxMs + POLL_SLACK_MS) / 1000),
});

const EVERYBODY_DELETES = 5;
const ADMINS_DELETE = 2;
/** A heartbeat on a slow network must still come in time. */
const POLL_SLACK_MS = 40_000;

async function realmUser(view: StateView, state: State): Promise<State> {
  const everybody = new Map((await view.everybody()).map((user) => [user.id as number, user]));
  const { systemBot } = view.request;
  const completed = (list: unknown) =>
    (list as Listed).map((each) => {
      const user = everybody.get(each['user_id'] as number) ?? systemBot;
      return { ...each, ...todayPerson(user), ...(user === systemBot ? { is_system_bot: true } : {}) };
    });
  return Object.fromEntries(
    ['realm_users', 'realm_non_active_users', 'cross_realm_bots'].map((name) => [name, completed(state[name])]),
  );
}

/** Streams keep their messages as long as the organisation does. */
const KEEPS_ALL = { message_retention_days: null };

const withStreams =
  (...names: readonly string[]) =>
  async (view: StateView, state: State): Promise<State> => {
    const streams = new Map((await view.streams()).streams.map((each) => [each.id as number, todayStream(each)]));
    const completed = (list: unknown) =>
      (list as Listed).map((each) => ({ ...KEEPS_ALL, ...each, ...streams.get(each['stream_id'] as number) }));
    return Object.fromEntries(names.map((name) => [name, completed(state[name])]));
  };

function unread(_: StateView, { unread_msgs: found }: State): State {
  if (found === undefined) return {};
  const { pms, count, ...others } = found as { pms: Listed; count: number };
  const pairs = pms.map((each) => ({ ...each, other_user_id: each['sender_id'] }));
  return { unread_msgs: { ...others, count, pms: pairs, old_unreads_missing: count >= MAX_COUNTED } };
}

/** As `MAX_UNREAD` of the messages that are counted. */
const MAX_COUNTED = 50_000;

async function emojiAuthors({ read, by }: StateView, { realm_emoji: all }: State): Promise<State> {
  const authors = await read(emojiAuthorsRead(by.realmId));
  const entries = Object.entries(all as Record<string, State>);
  return { realm_emoji: Object.fromEntries(entries.map(([id, each]) => [id, { ...each, ...authors[id] }])) };
}

const presence: StatePart = async (view) => {
  const { presences, lastUpdate } = await presencesIn(view);
  return { presences, presence_last_update_id: lastUpdate };
};

/** From the first feature level on, clients read when a topic was muted, too. */
async function mutedTopics({ topics, request }: StateView): Promise<State> {
  if (request.settings.chatFeatureLevel === 'off') return {};
  const muted = (await topics()).filter(({ policy }) => policy === TOPIC_POLICY.muted);
  return { muted_topics: muted.map(({ streamName, topic, updatedAt }) => [streamName, topic, updatedAt]) };
}

const userSettings: StatePart = async ({ settings }) => {
  const { display, notifications, own } = await settings();
  return { user_settings: { ...display, ...notifications, ...own } };
};

async function userGroups(view: StateView, state: State): Promise<State> {
  const [everybody, realm] = await Promise.all([view.everybody(), view.realm()]);
  const byRole = groupsByRole(everybody, realm, view.kernel.clock.now());
  return {
    realm_user_groups: withGroupsByRole(state['realm_user_groups'] as Parameters<typeof withGroupsByRole>[0], byRole),
  };
}

/** Today's parts, made of those for clients of 2.1. */
export const todayParts = (parts: StateParts): StateParts => ({
  ...parts,
  realm: extended(parts['realm']!, realm),
  realm_user: extended(parts['realm_user']!, realmUser),
  realm_user_groups: extended(parts['realm_user_groups']!, userGroups),
  stream: extended(parts['stream']!, withStreams('streams')),
  subscription: extended(parts['subscription']!, withStreams('subscriptions', 'unsubscribed', 'never_subscribed')),
  presence,
  realm_emoji: extended(parts['realm_emoji']!, emojiAuthors),
  update_message_flags: extended(parts['update_message_flags']!, unread),
  muted_topics: extended(parts['muted_topics']!, mutedTopics),
  user_settings: userSettings,
  realm_linkifiers: async ({ read, by }) => ({ realm_linkifiers: await read(todayLinkifiersRead(by.realmId)) }),
  zulip_version: ({ request }) => ({ zulip_merge_base: '', ...versionOf(request.settings) }),
});

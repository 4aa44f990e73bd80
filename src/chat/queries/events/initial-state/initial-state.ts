/** The initial state of a registration: the requested parts, and the number of the last event they include. */
import { ensure } from '../../../../kernel/fault';
import type { Storage } from '../../../../kernel/kernel';
import { mapRead, type Read } from '../../../../kernel/mysql/read-packet';
import { gatherSnapshot } from '../../../../kernel/mysql/snapshot';
import type { Keyspace } from '../../../../kernel/redis/connections';
import { accountDeactivated, noSuchRealm } from '../../../model/faults';
import { type Realm, realmTenant } from '../../../model/organisation/realm';
import type { ProfileName } from '../../../model/profiles/profiles';
import { MAX_NOTE_LENGTH, wireReminderOf, wireScheduled } from '../../../model/scheduled/scheduled-message';
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../../model/streams/stream';
import { FOLDER_DESCRIPTION_LENGTH, FOLDER_NAME_LENGTH } from '../../../model/streams/stream-folder';
import { mutedTopicsOf, wireUserTopic } from '../../../model/streams/topic-policy';
import { isGuest } from '../../../model/streams/stream-policy';
import { wireStream } from '../../../model/streams/stream-wire';
import type { User } from '../../../model/users/user';
import * as counters from '../../../store/counters';
import * as savedDrafts from '../../../store/drafts/saved-drafts';
import * as realms from '../../../store/organisation/realms';
import * as received from '../../../store/reading/received-messages';
import * as scheduled from '../../../store/scheduled/scheduled-messages';
import * as groups from '../../../store/streams/stream-groups';
import * as streams from '../../../store/streams/streams';
import * as subscriptions from '../../../store/streams/subscriptions';
import * as alertWords from '../../../store/users/alert-words';
import * as mutedUsers from '../../../store/users/muted-users';
import * as userSettings from '../../../store/users/user-settings';
import * as userTopics from '../../../store/streams/user-topics';
import * as users from '../../../store/users/users';
import { unreadMessages } from '../../reading/unread-messages';
import { foldersRead } from '../../streams/list-folders';
import { chosenStreams, wireStreamGroups } from '../../streams/list-streams';
import { settingsOf } from '../../users/settings';
import { gatherSubscriptions } from '../../streams/list-subscriptions';
import type { StateRequest, StatePart, StateParts, StateView } from './part';
import { peopleParts } from './people-parts';
import { realmParts } from './realm-parts';
import { todayParts } from './today-parts';

export async function readInitialState(
  kernel: Storage & Keyspace,
  { id, realmId }: User,
  request: StateRequest,
): Promise<{ state: Record<string, unknown>; eventNumber: number }> {
  const ofProfile = partsOf[request.filters.profile ?? 'zulip-2.1'];
  const unasked = request.filters.profile === 'zulip-today' ? ON_REQUEST : UNKNOWN_TO_2_1;
  const wanted = new Set(request.fetchTypes ?? Object.keys(ofProfile).filter((type) => !unasked.has(type)));
  return gatherSnapshot(kernel.mysql, async (read) => {
    const once = <T>(what: Read<T>) => {
      let value: Promise<T> | undefined;
      return () => (value ??= read(what));
    };
    const by = { id, realmId };
    let talks: ReturnType<typeof received.conversations> | undefined;
    const [self, stored] = [once(mapRead(users.byIdRead(realmId, id), activeSelf)), once(userSettings.ofUserRead(id))];
    const view: StateView = {
      kernel,
      read,
      by,
      self,
      stored,
      settings: async () => settingsOf(...(await Promise.all([self(), stored()]))),
      topics: once(userTopics.ofUserRead(id)),
      conversations: () => (talks ??= received.conversations(read, by)),
      ownSubscriptions: once(subscriptions.ofUserRead(id)),
      everybody: once(users.listRead(realmId)),
      realm: once(mapRead(realms.byIdRead(realmId), existing)),
      streams: once(streams.listRead(realmId, { withArchived: request.filters.knowsArchive === true })),
      request,
      wanted,
    };
    const [eventNumber, , ...parts] = await Promise.all([
      read(counters.eventNumberRead(realmTenant(realmId))),
      view.self(),
      ...Object.entries(ofProfile).map(([type, part]) => (wanted.has(type) ? part(view) : {})),
    ]);
    return { state: Object.assign({}, ...parts) as Record<string, unknown>, eventNumber };
  });
}

/** The user may have been deactivated since authentication. */
function activeSelf(self: User | undefined): User {
  ensure(self?.isActive === true, accountDeactivated());
  return self;
}

function existing(realm: Realm | undefined): Realm {
  ensure(realm !== undefined, noSuchRealm());
  return realm;
}

const stream: StatePart = async (view) => {
  const [self, list, own] = await Promise.all([view.self(), view.streams(), view.ownSubscriptions()]);
  const heard = new Set(own.filter(({ isActive }) => isActive).map(({ streamId }) => streamId));
  return {
    streams: chosenStreams(self, list, heard),
    stream_name_max_length: NAME_LENGTH,
    stream_description_max_length: DESCRIPTION_LENGTH,
  };
};

const subscription: StatePart = async ({ kernel, read, request, ...view }) => {
  const [self, list, own, general] = await Promise.all([
    view.self(),
    view.streams(),
    view.ownSubscriptions(),
    view.stored(),
  ]);
  const withSubscribers = request.filters.includeSubscribers;
  const gathered = { list, own, general, withSubscribers, now: kernel.clock.now() };
  return { ...(await gatherSubscriptions(read, self, gathered)) };
};

const defaultStreams: StatePart = async (view) => {
  const [self, { streams: all, first }] = await Promise.all([view.self(), view.streams()]);
  const defaults = isGuest(self) ? [] : all.filter(({ isDefault }) => isDefault);
  return { realm_default_streams: defaults.map((each) => wireStream(each, first)) };
};

const streamGroups: StatePart = async (view) => {
  const reading = view.read(groups.listRead(view.by.realmId));
  const [self, list, all] = await Promise.all([view.self(), view.streams(), reading]);
  return { realm_default_stream_groups: isGuest(self) ? [] : wireStreamGroups(all, list) };
};

const folders: StatePart = async ({ read, by }) => ({
  channel_folders: await read(foldersRead(by.realmId)),
  max_channel_folder_name_length: FOLDER_NAME_LENGTH,
  max_channel_folder_description_length: FOLDER_DESCRIPTION_LENGTH,
});

/** Parts for clients that name them. */
const ON_REQUEST: ReadonlySet<string> = new Set(['drafts', 'scheduled_messages', 'reminders']);
const UNKNOWN_TO_2_1: ReadonlySet<string> = new Set([...ON_REQUEST, 'muted_users']);

/** The parts of the initial state, by the event type under which clients request them. */
const PARTS: StateParts = {
  // The user's own state: alert words, muted topics, pointer and settings.
  alert_words: async ({ read, by }) => ({ alert_words: await read(alertWords.ofUserRead(by.id)) }),
  drafts: async ({ read, by }) => ({ drafts: await read(savedDrafts.listRead(by.id)) }),
  scheduled_messages: async ({ read, by }) => ({
    scheduled_messages: (await read(scheduled.messagesRead(by.id))).map(wireScheduled),
  }),
  reminders: async ({ read, by }) => ({
    reminders: (await read(scheduled.remindersRead(by.id))).map(wireReminderOf),
    max_reminder_note_length: MAX_NOTE_LENGTH,
  }),
  hotspots: async ({ settings }) => ({ hotspots: (await settings()).hotspots }),
  muted_topics: async ({ topics }) => ({ muted_topics: mutedTopicsOf(await topics()) }),
  muted_users: async ({ read, by }) => ({ muted_users: await read(mutedUsers.ofUserRead(by.id)) }),
  user_topic: async ({ topics }) => ({ user_topics: (await topics()).map(wireUserTopic) }),
  pointer: async ({ self }) => ({ pointer: (await self()).pointer }),
  update_display_settings: async ({ settings }) => (await settings()).display,
  update_global_notifications: async ({ settings }) => (await settings()).notifications,
  // The user's messages: the newest id, recent conversations, unread and starred ones.
  message: async ({ read, by }) => ({ max_message_id: await read(received.lastRead(by)) }),
  recent_private_conversations: async ({ conversations }) => ({ recent_private_conversations: await conversations() }),
  starred_messages: async ({ read, by }) => ({ starred_messages: await read(received.starredRead(by.id)) }),
  // Useful only together with new messages.
  update_message_flags: async ({ read, by, wanted }) =>
    wanted.has('message') ? { unread_msgs: await unreadMessages(read, by) } : {},
  ...peopleParts,
  ...realmParts,
  // Streams: the visible ones, the user's subscriptions, and the defaults for new users.
  stream,
  subscription,
  default_streams: defaultStreams,
  default_stream_groups: streamGroups,
  channel_folders: folders,
};

const partsOf: Readonly<Record<ProfileName, StateParts>> = { 'zulip-2.1': PARTS, 'zulip-today': todayParts(PARTS) };

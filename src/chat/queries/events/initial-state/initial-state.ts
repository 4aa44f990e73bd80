/** The initial state of a registration: the requested parts, and the number of the last event they include. */
import { ensure } from '../../../../kernel/fault';
import { idsOf } from '../../../../kernel/group';
import type { Storage } from '../../../../kernel/kernel';
import type { Database } from '../../../../kernel/mysql/pool';
import { readSnapshot } from '../../../../kernel/mysql/snapshot';
import type { Keyspace } from '../../../../kernel/redis/connections';
import { accountDeactivated, noSuchRealm } from '../../../model/faults';
import { type Realm, realmTenant } from '../../../model/organisation/realm';
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../../model/streams/stream';
import { isGuest } from '../../../model/streams/stream-policy';
import { wireStream } from '../../../model/streams/stream-wire';
import type { User } from '../../../model/users/user';
import * as counters from '../../../store/counters';
import * as realms from '../../../store/organisation/realms';
import * as received from '../../../store/reading/received-messages';
import * as mutedTopics from '../../../store/streams/muted-topics';
import * as history from '../../../store/streams/stream-history';
import * as streams from '../../../store/streams/streams';
import * as users from '../../../store/users/users';
import { unreadMessages } from '../../reading/unread-messages';
import { listStreamGroups, listStreams } from '../../streams/list-streams';
import { gatherSubscriptions } from '../../streams/list-subscriptions';
import { getSettings, listAlertWords } from '../../users/settings';
import type { StateRequest, StatePart, StateParts, StateView } from './part';
import { peopleParts } from './people-parts';
import { realmParts } from './realm-parts';

export async function readInitialState(
  kernel: Storage & Keyspace,
  by: User,
  request: StateRequest,
): Promise<{ state: Record<string, unknown>; eventNumber: number }> {
  const wanted = new Set(request.fetchTypes ?? Object.keys(PARTS));
  return readSnapshot(kernel.mysql, async (db) => {
    const eventNumber = await counters.eventNumber(db, realmTenant(by.realmId));
    // Read in the snapshot: the user may have been renamed, or lost rights, since authentication.
    const self = await users.byId(db, by.realmId, by.id);
    ensure(self?.isActive === true, accountDeactivated());
    const view: StateView = {
      kernel,
      db,
      by: self,
      everybody: once(() => users.list(db, by.realmId)),
      realm: once(() => realmOf(db, by)),
      settings: once(() => getSettings(db, self)),
      request,
      wanted,
    };
    const state: Record<string, unknown> = {};
    // The parts run one after the other, on one connection with one snapshot.
    for (const [type, part] of Object.entries(PARTS)) if (wanted.has(type)) Object.assign(state, await part(view));
    return { state, eventNumber };
  });
}

async function realmOf(db: Database, by: User): Promise<Realm> {
  const realm = await realms.byId(db, by.realmId);
  ensure(realm !== undefined, noSuchRealm());
  return realm;
}

/** Shared by several parts, and read when the first one needs it. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= read());
}

const stream: StatePart = async ({ db, by }) => ({
  streams: await listStreams(db, by),
  stream_name_max_length: NAME_LENGTH,
  stream_description_max_length: DESCRIPTION_LENGTH,
});

const subscription: StatePart = async ({ kernel, db, by, request }) => ({
  ...(await gatherSubscriptions(kernel.clock, db, by, request.filters.includeSubscribers)),
});

const defaultStreams: StatePart = async ({ db, by }) => {
  const found = isGuest(by) ? [] : await streams.defaults(db, by.realmId);
  const first = await history.firstIds(db, by.realmId, idsOf(found));
  return { realm_default_streams: found.map((each) => wireStream(each, first)) };
};

/** The parts of the initial state, by the event type under which clients request them. */
const PARTS: StateParts = {
  // The user's own state: alert words, muted topics, pointer and settings.
  alert_words: async ({ db, by }) => ({ alert_words: await listAlertWords(db, by) }),
  hotspots: async ({ settings }) => ({ hotspots: (await settings()).hotspots }),
  muted_topics: async ({ db, by }) => ({ muted_topics: await mutedTopics.ofUser(db, by.id) }),
  pointer: ({ by }) => ({ pointer: by.pointer }),
  update_display_settings: async ({ settings }) => (await settings()).display,
  update_global_notifications: async ({ settings }) => (await settings()).notifications,
  // The user's messages: the newest id, recent conversations, unread and starred ones.
  message: async ({ db, by }) => ({ max_message_id: await received.last(db, by) }),
  recent_private_conversations: async ({ db, by }) => ({
    recent_private_conversations: await received.conversations(db, by),
  }),
  starred_messages: async ({ db, by }) => ({ starred_messages: await received.starred(db, by.id) }),
  // Useful only together with new messages.
  update_message_flags: async ({ db, by, wanted }) =>
    wanted.has('message') ? { unread_msgs: await unreadMessages(db, by) } : {},
  ...peopleParts,
  ...realmParts,
  // Streams: the visible ones, the user's subscriptions, and the defaults for new users.
  stream,
  subscription,
  default_streams: defaultStreams,
  default_stream_groups: async ({ db, by }) => ({
    realm_default_stream_groups: isGuest(by) ? [] : await listStreamGroups(db, by.realmId),
  }),
};

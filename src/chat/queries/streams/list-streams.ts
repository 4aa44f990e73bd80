/** The streams that a user may see, the topics in them that the user may read, and the groups of default streams. */
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, together } from '../../../kernel/mysql/read-packet';
import type { Wire } from '../../../kernel/text/wire';
import type { streamGroup } from '../../model/answers/organisation';
import type { foundTopicsAnswer, topicsAnswer } from '../../model/answers/streams';
import { unknownStreamGroup } from '../../model/organisation/organisation-faults';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream, StreamId } from '../../model/streams/stream';
import type { StreamGroup } from '../../model/streams/stream-group';
import { queryNotAuthorized } from '../../model/streams/stream-faults';
import { isAdmin, isGuest, maySee } from '../../model/streams/stream-policy';
import { wireStream } from '../../model/streams/stream-wire';
import type { User } from '../../model/users/user';
import * as receptions from '../../store/streams/receptions';
import * as groups from '../../store/streams/stream-groups';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import { type Access, accessStream } from './access-stream';

/** As in the specification. Each source adds streams to the result. */
export interface StreamSources {
  readonly include_public: boolean;
  readonly include_subscribed: boolean;
  readonly include_all_active: boolean;
  readonly include_default: boolean;
  readonly include_owner_subscribed: boolean;
  /** As in today's Zulip. */
  readonly exclude_archived: boolean;
}

const USUAL_SOURCES: StreamSources = {
  include_public: true,
  include_subscribed: true,
  include_all_active: false,
  include_default: false,
  include_owner_subscribed: false,
  exclude_archived: true,
};

/** From the requested sources. Guests see only streams they are subscribed to. */
export async function listStreams(
  db: Database,
  by: User,
  requested: StreamSources = USUAL_SOURCES,
): Promise<Record<string, unknown>[]> {
  if (requested.include_all_active && !isAdmin(by)) throw queryNotAuthorized();
  const owner = requested.include_owner_subscribed && by.botType !== null ? by.botOwnerId : null;
  const subscribers = [...(requested.include_subscribed ? [by.id] : []), ...(owner === null ? [] : [owner])];
  const { list, heard } = await runRead(
    db,
    together({
      list: streams.listRead(by.realmId, { withArchived: !requested.exclude_archived }),
      heard: subscriptions.heardRead(subscribers),
    }),
  );
  return chosenStreams(by, list, heard, requested);
}

/** Streams without subscribers are listed only among all active ones. */
// oxlint-disable-next-line max-params -- who lists, the streams, those of the subscribers, and the requested sources
export function chosenStreams(
  by: User,
  { streams: all, first, occupied, lively }: streams.StreamList,
  heard: ReadonlySet<StreamId>,
  requested: StreamSources = USUAL_SOURCES,
): Record<string, unknown>[] {
  const isOpen = ({ isPrivate, isDefault }: Stream) =>
    !isGuest(by) && ((requested.include_public && !isPrivate) || (requested.include_default && isDefault));
  const isChosen = (stream: Stream) =>
    requested.include_all_active || (occupied.has(stream.id) && (isOpen(stream) || heard.has(stream.id)));
  return all
    .filter(isChosen)
    .sort(byName)
    .map((stream) => ({
      ...wireStream(stream, first),
      is_recently_active: lively.has(stream.id),
      ...(requested.include_default ? { is_default: stream.isDefault } : {}),
    }));
}

/** By code points, as in Zulip. */
export const byName = (a: Pick<Stream, 'name'>, b: Pick<Stream, 'name'>): number =>
  a.name < b.name ? -1 : Number(a.name > b.name);

/** Filters streams to those that a user may join others to: of the same organisation, not archived, public or subscribed to. */
export async function visibleStreams(db: Database, by: User, ids: readonly number[]): Promise<Stream[]> {
  const found = await streams.byIds(db, by.realmId, ids);
  const own = await subscriptions.among(db, ids as readonly StreamId[], [by.id]);
  const heard = new Set(own.filter(({ isActive }) => isActive).map(({ streamId }) => streamId));
  return found.filter((stream) => !stream.isArchived && maySee(by, stream, heard.has(stream.id)));
}

type Topics = Wire<typeof topicsAnswer>['topics'];

/** Newest first. */
export async function listTopics(db: Database, by: User, streamId: number): Promise<Topics> {
  const access = await accessStream(db, by, streamId, { admitArchived: true });
  const { stream } = access;
  const ends = new Map<number, history.TopicEnd>();
  for (const range of await readableRanges(db, by, access)) {
    for (const end of await history.topicEnds(db, by.realmId, stream.id, range)) {
      if (end.maxId > (ends.get(end.topicId)?.maxId ?? -1)) ends.set(end.topicId, end);
    }
  }
  return [...ends.values()].sort((a, b) => b.maxId - a.maxId).map(({ name, maxId }) => ({ name, max_id: maxId }));
}

const MAX_WORDS = 8;
const MAX_TOPICS = 30;

/** Those of the user's streams that have all words in their names, newest first; none without words. */
export async function findTopics(
  db: Database,
  by: User,
  text: string,
): Promise<Wire<typeof foundTopicsAnswer>['topics']> {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const found = await history.topicsLike(db, by, words.slice(0, MAX_WORDS), MAX_TOPICS);
  return found.map(({ streamId, name, maxId }) => ({ stream_id: streamId, name, max_id: maxId }));
}

/** Ranges of message ids that the user may read. With protected history, only those received while subscribed. */
export async function readableRanges(
  db: Database,
  by: User,
  { stream, subscription }: Access,
): Promise<[number, number][]> {
  if (stream.isHistoryPublic) return [[0, Number.MAX_SAFE_INTEGER]];
  const left = await receptions.ranges(db, by.id, stream.id);
  return subscription ? [...left, [subscription.fromId, Number.MAX_SAFE_INTEGER]] : left;
}

/** Everyone but guests may see them. */
export function wireStreamGroups(
  all: readonly StreamGroup[],
  list: Pick<streams.StreamList, 'streams' | 'first'>,
): Wire<typeof streamGroup>[] {
  const known = new Map(list.streams.map((stream) => [stream.id, stream]));
  return all.map(({ id, name, description, streamIds }) => ({
    id,
    name,
    description,
    streams: streamIds.flatMap((streamId) => {
      const stream = known.get(streamId);
      return stream ? [wireStream(stream, list.first)] : [];
    }),
  }));
}

/** The streams of the named groups. */
export async function findGroupStreams(db: Database, realmId: RealmId, names: readonly string[]): Promise<StreamId[]> {
  if (names.length === 0) return [];
  const all = new Map((await groups.list(db, realmId)).map((group) => [group.name, group]));
  return names.flatMap((name) => {
    const group = all.get(name);
    if (!group) throw unknownStreamGroup(name);
    return group.streamIds;
  });
}

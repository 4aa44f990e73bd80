/** Subscribes users to streams, creating the streams that do not exist yet. */
import type { Clock } from '../../../kernel/clock';
import { idsOf } from '../../../kernel/group';
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { nameKey, oneLine, type Stream } from '../../model/streams/stream';
import {
  checkStreamName,
  notOnBehalfOf,
  onlyAdminsSubscribeOthers,
  streamNotAccessible,
  tooNewToSubscribeOthers,
} from '../../model/streams/stream-faults';
import { maySee, maySubscribeOthers, POLICY } from '../../model/streams/stream-policy';
import type { User, UserId } from '../../model/users/user';
import { ensureNotGuest } from '../../model/users/user-policy';
import type { Sending } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as accounts from '../../store/users/accounts';
import { findPrincipals, type Principal } from '../users/find-principals';
import { addSubscribers, type Joined } from './add-subscribers';
import { createStreams } from './update-stream';
import { notifyOfSubscriptions } from './notify-about-streams';
import { lockStreams, settleStreams } from './settle-streams';

export interface Wanted {
  readonly name: string;
  readonly color?: string | undefined;
  readonly description?: string | undefined;
}

export interface SubscribeRequest {
  readonly streams: readonly Wanted[];
  /** Empty means the requester. */
  readonly principals: readonly Principal[];
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly postPolicy?: number | undefined;
  readonly isHistoryPublic: boolean | undefined;
  /** Of streams that are created. */
  readonly folderId: number | null;
  /** Whether new streams are announced in the organisation. */
  readonly shouldAnnounce: boolean;
  /** Whether a stream that the requester may not join fails the whole request. */
  readonly isFatal: boolean;
}

export interface Subscribed {
  readonly created: readonly Stream[];
  readonly subscribed: readonly Joined[];
  readonly already: readonly Joined[];
  readonly unauthorized: readonly Stream[];
  readonly users: ReadonlyMap<UserId, User>;
}

/** User-stream pairs per transaction: each pair has its own event, and a MySQL packet has a size limit. */
export const MAX_PAIRS = 500;

export function* batchesOf(users: readonly User[], streamCount: number): Generator<readonly User[]> {
  const size = Math.max(1, Math.floor(MAX_PAIRS / Math.max(1, streamCount)));
  for (let start = 0; start < users.length; start += size) yield users.slice(start, start + size);
}

export interface Joining {
  readonly wanted: readonly Wanted[];
  readonly users: readonly User[];
}

/** Checks the request, and resolves its streams and users. */
export async function planSubscribe(kernel: Storage, by: User, request: SubscribeRequest): Promise<Joining> {
  ensureNotGuest(by);
  const wanted = checkWanted(request.streams);
  const users = request.principals.length === 0 ? [by] : await findOthers(kernel, by, request.principals);
  return { wanted, users };
}

export async function subscribe(chat: Sending, by: User, request: SubscribeRequest): Promise<Subscribed> {
  const { wanted, users } = await planSubscribe(chat, by, request);
  let sum: Subscribed | undefined;
  for (const batch of batchesOf(users, wanted.length)) {
    const made = sum?.created ?? [];
    const more = await settleStreams(chat.transaction, (tx) =>
      join(tx, chat.clock, by, { ...request, streams: wanted, batch, made }),
    );
    sum = sum ? merged(sum, more) : more;
  }
  return announce(chat, by, sum!, { users, shouldAnnounce: request.shouldAnnounce });
}

/** Runs after the commit: sends the notices about what was done. */
export async function announce(
  chat: Sending,
  by: User,
  joined: Subscribed,
  { users, shouldAnnounce }: { readonly users: readonly User[]; readonly shouldAnnounce: boolean },
): Promise<Subscribed> {
  const done = { ...joined, users: new Map(users.map((user) => [user.id, user])) };
  await notifyOfSubscriptions(chat, by, { ...done, shouldAnnounce });
  return done;
}

const merged = (a: Subscribed, b: Subscribed): Subscribed => ({
  ...a,
  created: [...a.created, ...b.created],
  subscribed: [...a.subscribed, ...b.subscribed],
  already: [...a.already, ...b.already],
});

/** Normalised names, without duplicates. */
function checkWanted(streams: readonly Wanted[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const each of streams) {
    const name = checkStreamName(each.name);
    if (!wanted.has(nameKey(name))) wanted.set(nameKey(name), { ...each, name });
  }
  return [...wanted.values()];
}

async function findOthers(kernel: Storage, by: User, principals: readonly Principal[]): Promise<User[]> {
  const realm = await realms.byId(kernel.mysql, by.realmId);
  if (realm && !maySubscribeOthers(by, realm.settings, kernel.clock.now())) {
    const isForAdmins = realm.settings.invite_to_stream_policy === POLICY.admins;
    throw isForAdmins ? onlyAdminsSubscribeOthers() : tooNewToSubscribeOthers();
  }
  return findPrincipals(kernel.mysql, by, principals);
}

interface Batch extends SubscribeRequest {
  readonly batch: readonly User[];
  /** Streams that an earlier batch created. */
  readonly made: readonly Stream[];
}

export async function join(tx: Tx, clock: Clock, by: User, request: Batch): Promise<Subscribed> {
  const ids = request.batch.map(({ id }) => id);
  const users = await accounts.hold(tx.db, ids);
  const gone = request.batch.find(({ id }) => !users.has(id));
  if (gone) throw notOnBehalfOf(gone.email);
  const roles = await accounts.activeRoles(tx.db, by.realmId);
  const names = request.streams.map(({ name }) => name);
  const found = await streams.byNames(tx.db, by.realmId, names);
  const known = new Set(found.map(({ name }) => nameKey(name)));
  const drafts = request.streams
    .filter(({ name }) => !known.has(nameKey(name)))
    // In a fixed order, so that two requests for the same streams do not deadlock.
    .sort((a, b) => (nameKey(a.name) < nameKey(b.name) ? -1 : 1))
    .map(({ name, description = '' }) => ({ ...request, name, description: oneLine(description) }));
  const created = await createStreams(tx, clock, by, { drafts, roles });
  const existing = await lockStreams(tx, by.realmId, found);
  const { authorized, unauthorized } = await authorize(tx, by, existing, request);
  const streamOf = new Map([...authorized, ...created].map((stream) => [nameKey(stream.name), stream]));
  // In the order of the request.
  const joined = names.flatMap((name) => streamOf.get(nameKey(name)) ?? []);
  const made = new Set(created.map(({ id }) => id));
  const colors = new Map(
    request.streams.flatMap(({ name, color }) => {
      const stream = streamOf.get(nameKey(name));
      return stream && color !== undefined ? [[stream.id, color] as const] : [];
    }),
  );
  const realmId = by.realmId;
  const result = await addSubscribers(tx, clock, { realmId, streams: joined, created, users, roles, colors });
  return { ...result, created: joined.filter(({ id }) => made.has(id)), unauthorized, users: new Map() };
}

/** Users may only bring others into streams that they can see, or that they have just created; never into archived ones. */
async function authorize(
  tx: Tx,
  by: User,
  existing: readonly Stream[],
  { isFatal, made }: Batch,
): Promise<{ authorized: Stream[]; unauthorized: Stream[] }> {
  const own = await subscriptions.among(tx.db, idsOf(existing), [by.id]);
  const heard = new Set(own.filter(({ isActive }) => isActive).map(({ streamId }) => streamId));
  for (const { id } of made) heard.add(id);
  const unauthorized = existing.filter((stream) => stream.isArchived || !maySee(by, stream, heard.has(stream.id)));
  if (isFatal && unauthorized[0]) throw streamNotAccessible(unauthorized[0].name);
  return { authorized: existing.filter((stream) => !unauthorized.includes(stream)), unauthorized };
}

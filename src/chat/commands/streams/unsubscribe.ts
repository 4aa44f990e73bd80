/** Ends subscriptions: the user's own, or as an administrator those of others. With new ones: both or neither. */
import { idsOf } from '../../../kernel/group';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import { isSameEmail } from '../../../kernel/secrets/email-key';
import { noSuchStream } from '../../model/faults';
import { nameKey, type Stream } from '../../model/streams/stream';
import { checkStreamName, needsAdministrativeRights } from '../../model/streams/stream-faults';
import { isAdmin, mayKnow } from '../../model/streams/stream-policy';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as accounts from '../../store/users/accounts';
import { findPrincipals, type Principal } from '../users/find-principals';
import { removeSubscribers } from './remove-subscribers';
import { lockStreams, settleStreams } from './settle-streams';
import {
  announce,
  batchesOf,
  join,
  MAX_PAIRS,
  planSubscribe,
  subscribe,
  type Subscribed,
  type SubscribeRequest,
} from './subscribe';

/** Stream names, once for each user who left or was not subscribed. */
export interface Unsubscribed {
  readonly removed: readonly string[];
  readonly notRemoved: readonly string[];
}

export interface UnsubscribeRequest {
  readonly names: readonly string[];
  /** Empty means the requester. */
  readonly principals: readonly Principal[];
}

export async function unsubscribe(kernel: Storage, by: User, request: UnsubscribeRequest): Promise<Unsubscribed> {
  const { names, users } = await planUnsubscribe(kernel.mysql, by, request);
  const removed: string[] = [];
  const notRemoved: string[] = [];
  for (const batch of batchesOf(users, names.length)) {
    const isFirst = batch[0] === users[0];
    const left = await settleStreams(kernel.transaction, (tx) => leave(tx, by, { names, batch, isFirst }));
    removed.push(...left.removed);
    notRemoved.push(...left.notRemoved);
  }
  return { removed, notRemoved };
}

/** Checks the request, and resolves its streams and users. */
async function planUnsubscribe(
  db: Database,
  by: User,
  request: UnsubscribeRequest,
): Promise<{ names: string[]; users: readonly User[] }> {
  const isOwn = request.principals.every((each) => isSelf(by, each));
  if (!isOwn && !isAdmin(by)) throw needsAdministrativeRights();
  const names = [...new Map(request.names.map(checkStreamName).map((name) => [nameKey(name), name])).values()];
  return { names, users: isOwn ? [by] : await findPrincipals(db, by, request.principals) };
}

const missingFrom = (names: readonly string[], found: readonly Stream[]): string[] =>
  names.filter((name) => !found.some((stream) => nameKey(stream.name) === nameKey(name)));

function ensureFound(names: readonly string[], found: readonly Stream[]): void {
  const [missing] = missingFrom(names, found);
  if (missing !== undefined) throw noSuchStream(missing);
}

const isSelf = (by: User, principal: Principal): boolean =>
  typeof principal === 'number' ? principal === by.id : isSameEmail(principal, by.email);

interface Batch {
  readonly names: readonly string[];
  readonly batch: readonly User[];
  readonly isFirst: boolean;
}

async function leave(tx: Tx, by: User, { names, batch, isFirst }: Batch): Promise<Unsubscribed> {
  const userIds = batch.map(({ id }) => id);
  await accounts.lock(tx.db, userIds);
  const found = await findStreams(tx.db, by, names);
  // A private stream is retired with its last subscriber, who may have been in an earlier batch.
  if (isFirst) ensureFound(names, found);
  const locked = await lockStreams(tx, by.realmId, found);
  const roles = await accounts.activeRoles(tx.db, by.realmId);
  const left = await removeSubscribers(tx, { realmId: by.realmId, streams: locked, userIds, roles });
  const counted = (streamNames: readonly string[]) => userIds.flatMap(() => streamNames);
  return { removed: left.removed, notRemoved: [...left.notRemoved, ...counted(missingFrom(names, found))] };
}

/** In the order of the names. Skips streams that the requester may not know of, unless they were once subscribed. */
async function findStreams(db: Database, by: User, names: readonly string[]): Promise<Stream[]> {
  const found = await streams.byNames(db, by.realmId, names);
  const own = await subscriptions.among(db, idsOf(found), [by.id]);
  const heard = new Set(own.map(({ streamId }) => streamId));
  const byKey = new Map(found.map((stream) => [nameKey(stream.name), stream]));
  return names
    .flatMap((name) => byKey.get(nameKey(name)) ?? [])
    .filter((stream) => mayKnow(by, stream, heard.has(stream.id)));
}

/** Subscribes to some streams and unsubscribes from others. */
export async function changeSubscriptions(
  chat: Sending,
  by: User,
  add: SubscribeRequest,
  remove: UnsubscribeRequest,
): Promise<{ joined: Subscribed; left: Unsubscribed }> {
  const leaving = await planUnsubscribe(chat.mysql, by, remove);
  const { wanted, users } = await planSubscribe(chat, by, add);
  const pairs = users.length * wanted.length + leaving.users.length * leaving.names.length;
  if (pairs > MAX_PAIRS) {
    // Too many for one transaction, so everything that could fail the second half is checked before the first.
    ensureFound(leaving.names, await findStreams(chat.mysql, by, leaving.names));
    return { joined: await subscribe(chat, by, add), left: await unsubscribe(chat, by, remove) };
  }
  const { joined, left } = await settleStreams(chat.transaction, async (tx) => ({
    joined: await join(tx, chat.clock, by, { ...add, streams: wanted, batch: users, made: [] }),
    left: await leave(tx, by, { names: leaving.names, batch: leaving.users, isFirst: true }),
  }));
  return { joined: await announce(chat, by, joined, { users, shouldAnnounce: add.shouldAnnounce }), left };
}

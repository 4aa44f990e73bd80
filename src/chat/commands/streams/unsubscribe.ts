/** Ends subscriptions: the user's own, or as an administrator those of others. */
import { isSameEmail } from '../../../kernel/secrets/email-key';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import { noSuchStream } from '../../model/faults';
import { nameKey, type Stream } from '../../model/streams/stream';
import { checkStreamName, needsAdministrativeRights } from '../../model/streams/stream-faults';
import { isAdmin, mayKnow } from '../../model/streams/stream-policy';
import type { User } from '../../model/users/user';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as accounts from '../../store/users/accounts';
import { findPrincipals, type Principal } from '../users/find-principals';
import { removeSubscribers } from './remove-subscribers';
import { lockStreams, settleStreams } from './settle-streams';

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

/** As when subscribing: each user-stream pair has its own event. */
const MAX_PAIRS = 500;

export async function unsubscribe(kernel: Storage, by: User, request: UnsubscribeRequest): Promise<Unsubscribed> {
  const { names, users } = await planUnsubscribe(kernel.mysql, by, request);
  const size = Math.max(1, Math.floor(MAX_PAIRS / Math.max(1, names.length)));
  const removed: string[] = [];
  const notRemoved: string[] = [];
  for (let start = 0; start < users.length; start += size) {
    const batch = users.slice(start, start + size);
    const left = await settleStreams(kernel.transaction, (tx) => leave(tx, by, { names, batch, isFirst: start === 0 }));
    removed.push(...left.removed);
    notRemoved.push(...left.notRemoved);
  }
  return { removed, notRemoved };
}

/** Throws what unsubscribing would throw, for callers that do something else first. */
export async function checkUnsubscribe(db: Database, by: User, request: UnsubscribeRequest): Promise<void> {
  const { names } = await planUnsubscribe(db, by, request);
  ensureFound(names, await findStreams(db, by, names));
}

/** Checks the request, and resolves its streams and users. */
export async function planUnsubscribe(
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

export async function leave(tx: Tx, by: User, { names, batch, isFirst }: Batch): Promise<Unsubscribed> {
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
  const own = await subscriptions.among(
    db,
    found.map(({ id }) => id),
    [by.id],
  );
  const heard = new Set(own.map(({ streamId }) => streamId));
  const byKey = new Map(found.map((stream) => [nameKey(stream.name), stream]));
  return names
    .flatMap((name) => byKey.get(nameKey(name)) ?? [])
    .filter((stream) => mayKnow(by, stream, heard.has(stream.id)));
}

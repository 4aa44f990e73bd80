/** Streams that every new user is subscribed to, or chooses by groups or invitations. */
import type { Clock } from '../../../kernel/clock';
import { idsOf } from '../../../kernel/group';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import type { Stream, StreamId } from '../../model/streams/stream';
import { defaultStreamsChanged } from '../../model/streams/stream-events';
import { privateDefault } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import { accessStream } from '../../queries/streams/access-stream';
import { findGroupStreams } from '../../queries/streams/list-streams';
import * as realms from '../../store/organisation/realms';
import { pastFor } from '../../store/streams/newcomer-history';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as accounts from '../../store/users/accounts';
import { addSubscribers } from './add-subscribers';
import { lockStreams, settleStreams } from './settle-streams';

/** Includes the streams of the chosen groups. */
export async function joinDefaultStreams(
  tx: Tx,
  clock: Clock,
  user: User,
  groupNames: readonly string[] = [],
): Promise<void> {
  const chosen = await findGroupStreams(tx.db, user.realmId, groupNames);
  const defaults = idsOf(await streams.defaults(tx.db, user.realmId));
  const ids = [...new Set([...defaults, ...chosen])];
  const choose = (open: readonly Stream[]) =>
    Promise.resolve(open.filter(({ isPrivate, isArchived }) => !isPrivate && !isArchived));
  await joinStreams(tx, clock, user, { ids, choose });
}

interface Wanted {
  readonly ids: readonly StreamId[];
  /** Selects the streams to join. Called once they are locked. */
  readonly choose: (open: readonly Stream[]) => Promise<readonly Stream[]>;
}

/** For new accounts: they also receive the newest messages of the public streams among these. */
export async function joinStreams(tx: Tx, clock: Clock, user: User, { ids, choose }: Wanted): Promise<void> {
  if (ids.length === 0) return;
  await streams.lockForAudience(tx.db, ids);
  // Read under the lock: a stream may have been closed meanwhile.
  const open = await choose(await streams.byIds(tx.db, user.realmId, ids));
  await addSubscribers(tx, clock, {
    realmId: user.realmId,
    streams: open,
    created: [],
    users: new Map([[user.id, {}]]),
    roles: await accounts.activeRoles(tx.db, user.realmId),
    colors: new Map(),
    past: await pastFor(tx.db, user.realmId, idsOf(open.filter(({ isPrivate }) => !isPrivate))),
  });
}

/** Publishes all default streams. The organisation is locked, so that events keep the order of the changes. */
export async function publishDefaultStreams(tx: Tx, { realmId }: Pick<Stream, 'realmId'>): Promise<void> {
  await realms.lock(tx.db, realmId);
  const left = await streams.defaults(tx.db, realmId);
  const first = await history.firstIds(tx.db, realmId, idsOf(left));
  tx.deliver(defaultStreamsChanged(realmId, left, first));
}

/** Adds a stream to those that every new user is subscribed to, or removes it. */
export async function setDefaultStream(
  transaction: Transact,
  by: User,
  streamName: string,
  isDefault: boolean,
): Promise<void> {
  ensureAdmin(by);
  await settleStreams(transaction, async (tx) => {
    const { stream: found } = await accessStream(tx.db, by, streamName, { admitAdmins: !isDefault });
    const [stream] = await lockStreams(tx, by.realmId, [found]);
    if (isDefault && stream!.isPrivate) throw privateDefault();
    if (stream!.isDefault === isDefault) return;
    await streams.update(tx.db, [stream!.id], { isDefault });
    await publishDefaultStreams(tx, stream!);
  });
}

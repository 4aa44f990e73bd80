/** Streams that every new user is subscribed to, or chooses by groups or invitations. */
import type { Clock } from '../../../kernel/clock';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import type { Stream, StreamId } from '../../model/streams/stream';
import { privateDefault } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import { accessStreamByName } from '../../queries/streams/access-stream';
import { findGroupStreams } from '../../queries/streams/list-stream-groups';
import * as streams from '../../store/streams/streams';
import * as accounts from '../../store/users/accounts';
import { addSubscribers } from './add-subscribers';
import { publishDefaultStreams } from './retire-stream';
import { lockStreams, settleStreams } from './settle-streams';

/** Includes the streams of the chosen groups. */
export async function joinDefaultStreams(
  tx: Tx,
  clock: Clock,
  user: User,
  groupNames: readonly string[] = [],
): Promise<void> {
  const chosen = await findGroupStreams(tx.db, user.realmId, groupNames);
  const defaults = (await streams.defaults(tx.db, user.realmId)).map(({ id }) => id);
  const ids = [...new Set([...defaults, ...chosen])];
  const choose = (open: readonly Stream[]) => Promise.resolve(open.filter(({ isPrivate }) => !isPrivate));
  await joinStreams(tx, clock, user, { ids, choose });
}

interface Wanted {
  readonly ids: readonly StreamId[];
  /** Selects the streams to join. Called once they are locked. */
  readonly choose: (open: readonly Stream[]) => Promise<readonly Stream[]>;
}

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
  });
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
    const { stream: found } = await accessStreamByName(tx.db, by, streamName, { admitAdmins: !isDefault });
    const [stream] = await lockStreams(tx, by.realmId, [found]);
    if (isDefault && stream!.isPrivate) throw privateDefault();
    if (stream!.isDefault === isDefault) return;
    await streams.update(tx.db, [stream!.id], { isDefault });
    await publishDefaultStreams(tx, stream!);
  });
}

/** Takes a locked stream out of use. Its messages stay, and its name becomes available. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { deactivatedName, type Stream } from '../../model/streams/stream';
import { defaultStreamsChanged, streamEvent } from '../../model/streams/stream-events';
import type { FirstMessages } from '../../model/streams/stream-wire';
import type { UserId } from '../../model/users/user';
import * as history from '../../store/streams/stream-history';
import * as realms from '../../store/organisation/realms';
import * as streams from '../../store/streams/streams';
import { leaveStreamGroups } from './publish-stream-groups';

/** Publishes the deletion to the users who could see the stream. It must have no subscribers left. */
export async function retireStream(tx: Tx, stream: Stream, to: readonly UserId[], first: FirstMessages): Promise<void> {
  await streams.update(tx.db, [stream.id], {
    name: deactivatedName(stream.name),
    isPrivate: true,
    isActive: false,
    isDefault: false,
  });
  if (stream.isDefault) await publishDefaultStreams(tx, stream);
  await leaveStreamGroups(tx, stream);
  for (const delivery of streamEvent('delete', to, [stream], first)) tx.deliver(delivery);
}

/** Publishes all default streams. The organisation is locked, so that events keep the order of the changes. */
export async function publishDefaultStreams(tx: Tx, { realmId }: Pick<Stream, 'realmId'>): Promise<void> {
  await realms.lock(tx.db, realmId);
  const left = await streams.defaults(tx.db, realmId);
  const first = await history.firstIds(
    tx.db,
    realmId,
    left.map(({ id }) => id),
  );
  tx.deliver(defaultStreamsChanged(realmId, left, first));
}

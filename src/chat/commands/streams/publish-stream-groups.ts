/** Publishes all groups of default streams to everyone but guests, after any change. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream } from '../../model/streams/stream';
import { listStreamGroups } from '../../queries/streams/list-stream-groups';
import * as realms from '../../store/organisation/realms';
import * as groups from '../../store/streams/stream-groups';

/** The organisation must be locked, so that events keep the order of the changes. */
export async function publishStreamGroups(tx: Tx, realmId: RealmId): Promise<void> {
  const all = await listStreamGroups(tx.db, realmId);
  tx.deliver(eventDelivery(realmId, 'members', { type: 'default_stream_groups', default_stream_groups: all }));
}

/** Removes a locked stream from all groups when it is retired or becomes private. */
export async function leaveStreamGroups(tx: Tx, { id, realmId }: Pick<Stream, 'id' | 'realmId'>): Promise<void> {
  // The stream is locked, so it cannot join a group meanwhile.
  if (!(await groups.hasStream(tx.db, id))) return;
  await realms.lock(tx.db, realmId);
  await groups.forgetStream(tx.db, id);
  await publishStreamGroups(tx, realmId);
}

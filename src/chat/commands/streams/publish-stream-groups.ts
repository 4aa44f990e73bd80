/** Tells everybody but guests all groups of default streams, as after any change of one. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream } from '../../model/streams/stream';
import { listStreamGroups } from '../../queries/streams/list-stream-groups';
import * as realms from '../../store/organisation/realms';
import * as groups from '../../store/streams/stream-groups';

/** The organisation must be locked, so that no other change overtakes this one. */
export async function publishStreamGroups(tx: Tx, realmId: RealmId): Promise<void> {
  const all = await listStreamGroups(tx.db, realmId);
  tx.deliver(eventDelivery(realmId, 'members', { type: 'default_stream_groups', default_stream_groups: all }));
}

/** A locked stream is retired or becomes private: nobody begins with it any more. */
export async function leaveStreamGroups(tx: Tx, { id, realmId }: Pick<Stream, 'id' | 'realmId'>): Promise<void> {
  // The stream is locked, so nobody puts it into a group meanwhile.
  if (!(await groups.hasStream(tx.db, id))) return;
  await realms.lock(tx.db, realmId);
  await groups.forgetStream(tx.db, id);
  await publishStreamGroups(tx, realmId);
}

/** Withdraws notifications from a user's devices, once all of their messages are read. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { pushMail } from '../../actors/mailboxes';
import { type RealmId, realmTenant } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { stillUnread } from '../../queries/push/compose-pushes';
import { pushShown } from '../../store/push/push-shown';

export async function withdrawRead(tx: Tx, reader: { readonly realmId: RealmId; readonly userId: UserId }) {
  const shown = await pushShown.find(tx.db, { user_id: reader.userId });
  if (shown.length === 0) return;
  const over = await pushShown.removeRead(tx.db, shown, await stillUnread(tx.db, reader, shown));
  for (const [deviceId, readTags] of over) {
    pushMail.at(realmTenant(reader.realmId), String(deviceId)).send(tx, { readTags });
  }
}

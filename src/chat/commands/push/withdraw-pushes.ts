/** Withdraws notifications from a user's devices, once all of their messages are read. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { groupBy } from '../../../kernel/group';
import { pushMail } from '../../actors/mailboxes';
import { type RealmId, realmTenant } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { stillUnread } from '../../queries/push/compose-pushes';
import * as pushShown from '../../store/push/push-shown';

export async function withdrawRead(tx: Tx, reader: { readonly realmId: RealmId; readonly userId: UserId }) {
  const shown = await pushShown.ofUser(tx.db, reader.userId);
  if (shown.length === 0) return;
  const unread = await stillUnread(tx.db, reader, shown);
  const over = shown.filter(({ messageIds }) => !messageIds.some((id) => unread.has(id)));
  await pushShown.remove(tx.db, over);
  for (const [deviceId, gone] of groupBy(over, (each) => each.deviceId)) {
    pushMail.at(realmTenant(reader.realmId), String(deviceId)).send(tx, { readTags: gone.map(({ tag }) => tag) });
  }
}

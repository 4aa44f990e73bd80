/** Withdraws a notification from somebody's devices, once all that it is about is read or deleted. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { portalPushes } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import { stillUnread } from '../../queries/push/unread-news';
import { pushShown } from '../../store/push/push-devices';
import type { Reader } from '../../store/push/unread-news';

export async function withdrawRead(tx: Tx, reader: Reader, tag: string): Promise<void> {
  const { companyId, contactId } = reader;
  const shown = await pushShown.find(tx.db, { tag, contact_id: contactId });
  if (shown.length === 0) return;
  const over = await pushShown.removeRead(tx.db, shown, await stillUnread(tx.db, reader, shown));
  for (const [deviceId, readTags] of over) {
    portalPushes.at(companyTenant(companyId), String(deviceId)).send(tx, { readTags });
  }
}

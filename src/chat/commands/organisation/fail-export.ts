/** Marks an export as failed: there are no further attempts. The sweep removes what is left of its archive. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { failedText, type ExportOrder } from '../../model/organisation/export';
import type { Chat } from '../../parts';
import * as exportRows from '../../store/organisation/exports';
import { changingExportsIn } from './request-export';
import { notifyOfExport } from './publish-exports';

export async function failExport(tx: Tx, chat: Chat, { realmId, exportId }: ExportOrder): Promise<void> {
  const now = chat.kernel.clock.now();
  await changingExportsIn(tx, chat, realmId, async ({ db }) => {
    const found = await exportRows.lock(db, realmId, exportId);
    if (found?.state === 'pending') await exportRows.update(db, exportId, { state: 'failed', ended_at: now }, now);
  });
}

/** Tells the requester once that the export failed. */
export async function notifyOfFailure(chat: Chat, { realmId, exportId }: ExportOrder): Promise<void> {
  const found = await exportRows.byId(chat.kernel.mysql, realmId, exportId);
  if (found?.state === 'failed') await notifyOfExport(chat, found, failedText);
}

/** Gives an export up: no further attempt is made. */
import type { ExportOrder } from '../jobs';
import { failedText } from '../model/export';
import type { Chat } from '../parts';
import * as exportRows from '../store/exports';
import { changingExports } from './request-export';
import { notifyOfExport } from './tell-exports';

export async function failExport(chat: Chat, { realmId, exportId }: ExportOrder): Promise<void> {
  const now = chat.kernel.clock.now();
  const failed = await changingExports(chat, realmId, async (tx) => {
    const found = await exportRows.lock(tx.db, realmId, exportId);
    if (found?.state !== 'pending') return undefined;
    await exportRows.update(tx.db, exportId, { state: 'failed', ended_at: now }, now);
    return found;
  });
  if (!failed) return;
  await exportRows.removeChunks(chat.kernel.mysql, exportId);
  await notifyOfExport(chat, failed, failedText);
}

/** Deletes archives that are too old or too many, and fails exports that no worker continues. */
import { GIVE_UP_MS, KEEP_MS, LEFTOVERS_MS, MAX_KEPT, type ExportOrder } from '../../model/organisation/export';
import type { RealmId } from '../../model/organisation/realm';
import type { Chat } from '../../parts';
import * as exportRows from '../../store/organisation/exports';
import { failExport, notifyOfFailure } from './fail-export';
import { changingExports } from './request-export';

export async function sweepExports(chat: Chat): Promise<void> {
  const { clock, mysql } = chat.kernel;
  const now = clock.now().getTime();
  const found = await exportRows.outdated(mysql, new Date(now - KEEP_MS), new Date(now - GIVE_UP_MS));
  for (const { id, realmId, state } of found) {
    const swept = state === 'done' ? expire(chat, realmId, [id]) : giveUp(chat, { realmId, exportId: id });
    // One that fails is tried again with the next sweep, and keeps no other from its turn.
    await swept.catch((error: unknown) => chat.kernel.log.error({ error, export: id }, 'could not sweep an export'));
  }
  const leftovers = await exportRows.withLeftovers(mysql, new Date(now - LEFTOVERS_MS));
  for (const id of leftovers) await exportRows.removeChunks(mysql, id);
}

/** An operator discarded it, or its workers died too often. */
async function giveUp(chat: Chat, order: ExportOrder): Promise<void> {
  await chat.kernel.transaction((tx) => failExport(tx, chat, order));
  await notifyOfFailure(chat, order);
}

/** Runs after each export. Keeps the newest archives, and the records of exports that are still listed. */
export async function trimExports(chat: Chat, realmId: RealmId): Promise<void> {
  const { mysql } = chat.kernel;
  const known = await exportRows.list(mysql, realmId);
  const done = known.filter(({ state }) => state === 'done').map(({ id }) => id);
  await expire(chat, realmId, done.slice(0, -MAX_KEPT));
  const [first] = known;
  if (first) await exportRows.forgetOlder(mysql, realmId, first.id);
}

async function expire(chat: Chat, realmId: RealmId, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const now = chat.kernel.clock.now();
  await changingExports(chat, realmId, async (tx) => {
    for (const id of ids) {
      const found = await exportRows.lock(tx.db, realmId, id);
      if (found?.state !== 'done') continue;
      await exportRows.update(tx.db, id, { state: 'deleted', deleted_at: now }, now);
    }
  });
  for (const id of ids) await exportRows.removeChunks(chat.kernel.mysql, id);
}

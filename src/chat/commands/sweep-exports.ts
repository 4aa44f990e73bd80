/** Deletes archives that are too old or too many; wakes, and in the end gives up, exports that no worker goes on with. */
import { exportRealm } from '../jobs';
import { GIVE_UP_MS, KEEP_MS, LEFTOVERS_MS, MOST_KEPT } from '../model/export';
import type { RealmId } from '../model/realm';
import type { Chat } from '../parts';
import * as exportRows from '../store/exports';
import { failExport } from './fail-export';
import { changingExports } from './request-export';

export async function sweepExports(chat: Chat): Promise<void> {
  const { clock, mysql, jobs, settings } = chat.kernel;
  const now = clock.now().getTime();
  // A worker touches its export every second: one that did not for so long has lost its job too.
  const stalled = new Date(now - settings.jobLockMs);
  const found = await exportRows.outdated(mysql, new Date(now - KEEP_MS), stalled);
  for (const { id, realmId, state, createdAt } of found) {
    const order = { realmId, exportId: id };
    if (state === 'done') await expire(chat, realmId, [id]);
    else if (now - createdAt.getTime() > GIVE_UP_MS) await failExport(chat, order);
    else await jobs.nudge(exportRealm, `export-${id}`, order);
  }
  const leftovers = await exportRows.withLeftovers(mysql, new Date(now - LEFTOVERS_MS));
  for (const id of leftovers) await exportRows.removeChunks(mysql, id);
}

/** After each export: the newest archives stay, and what is known of those that were listed. */
export async function trimExports(chat: Chat, realmId: RealmId): Promise<void> {
  const { mysql } = chat.kernel;
  const known = await exportRows.list(mysql, realmId);
  const done = known.filter(({ state }) => state === 'done').map(({ id }) => id);
  await expire(chat, realmId, done.slice(0, -MOST_KEPT));
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

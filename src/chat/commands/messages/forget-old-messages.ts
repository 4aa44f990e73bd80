/**
 * Deletes what an organisation no longer keeps (`message_retention_days`): messages, and files that no message links any
 * more. As in Zulip 2.1 nobody is told of it: a client that shows such a message forgets it with its next reload.
 */
import type { Kernel } from '../../../kernel/kernel';
import type { RealmId } from '../../model/organisation/realm';
import * as edits from '../../store/messages/message-edits';
import * as old from '../../store/messages/old-messages';
import * as realms from '../../store/organisation/realms';
import * as uploads from '../../store/uploads/uploads';

const MOST_AT_ONCE = 200;
const DAY_MS = 86_400_000;

export async function forgetOldMessages(kernel: Kernel, signal: AbortSignal): Promise<void> {
  for (const { id, isActive, settings } of await realms.list(kernel.mysql)) {
    const days = settings.message_retention_days;
    if (days === null || !isActive) continue;
    const before = new Date(kernel.clock.now().getTime() - days * DAY_MS);
    await forgetMessages(kernel, id, before, signal);
    await forgetFiles(kernel, id, before, signal);
  }
}

async function forgetMessages(kernel: Kernel, realmId: RealmId, before: Date, signal: AbortSignal): Promise<void> {
  const seconds = Math.floor(before.getTime() / 1000);
  for (let last = 0; !signal.aborted;) {
    const some = await old.after(kernel.mysql, realmId, last, MOST_AT_ONCE);
    const ids = some.filter(({ sentAt }) => sentAt < seconds).map(({ id }) => id);
    // Where so many in a row are young, all further ones are.
    if (ids.length === 0) return;
    await kernel.transaction(async ({ db }) => {
      await edits.remove(db, { realmId, ids }, await old.markedBy(db, realmId, ids));
    });
    last = some.at(-1)!.id;
  }
}

async function forgetFiles(kernel: Kernel, realmId: RealmId, before: Date, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ids = await old.unlinkedFiles(kernel.mysql, realmId, before, MOST_AT_ONCE);
    for (const id of ids) await uploads.forget(kernel.mysql, realmId, id);
    if (ids.length < MOST_AT_ONCE) return;
  }
}

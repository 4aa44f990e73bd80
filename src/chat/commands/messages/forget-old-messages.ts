/**
 * Deletes messages beyond the organisation's retention (`message_retention_days`), and files that no message links to.
 * As in Zulip 2.1, no event is published: a client that shows such a message drops it on its next reload.
 */
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { RealmId } from '../../model/organisation/realm';
import * as edits from '../../store/messages/message-edits';
import * as retention from '../../store/organisation/retention';
import * as uploads from '../../store/uploads/uploads';

const MAX_AT_ONCE = 200;
/** Then it is another organisation's turn. */
const MAX_ROUNDS = 25;
const MAX_ORGANISATIONS = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An organisation whose setting changes is due at once. */
const AGAIN_MS = { forgets: HOUR_MS, keepsAll: DAY_MS } as const;

/** Handles only organisations that are due, the longest waiting first. */
export async function forgetOldMessages(kernel: Storage & Pick<Kernel, 'log'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = kernel.clock.now();
    const due = await retention.due(kernel.mysql, now, MAX_ORGANISATIONS);
    const keepAll = due.filter(({ days }) => days === null).map(({ id }) => id);
    await retention.lookAgain(kernel.mysql, keepAll, later(now, AGAIN_MS.keepsAll));
    for (const { id, days } of due) {
      if (days === null || signal.aborted) continue;
      await takeTurn(kernel, id, days, signal).catch((error: unknown) => postpone(kernel, id, error));
    }
    if (due.length === 0) return;
  }
}

const later = (from: Date, milliseconds: number): Date => new Date(from.getTime() + milliseconds);

/** An organisation that fails must not keep the others from their turn. */
async function postpone(kernel: Storage & Pick<Kernel, 'log'>, realmId: RealmId, error: unknown): Promise<void> {
  kernel.log.error({ error, realm: realmId }, 'could not delete the old messages of an organisation');
  await retention.lookAgain(kernel.mysql, [realmId], later(kernel.clock.now(), AGAIN_MS.forgets));
}

/** If messages are left, the organisation queues behind the others. */
async function takeTurn(kernel: Storage, realmId: RealmId, days: number, signal: AbortSignal): Promise<void> {
  const now = kernel.clock.now();
  const before = later(now, -days * DAY_MS);
  const isDone =
    (await forgetMessages(kernel, realmId, before, signal)) &&
    (await forgetFiles(kernel.mysql, realmId, before, signal));
  if (!signal.aborted) await retention.lookAgain(kernel.mysql, [realmId], isDone ? later(now, AGAIN_MS.forgets) : now);
}

/** Returns whether none is left. */
async function forgetMessages(kernel: Storage, realmId: RealmId, before: Date, signal: AbortSignal): Promise<boolean> {
  const seconds = Math.floor(before.getTime() / 1000);
  for (let last = 0, rounds = 0; rounds < MAX_ROUNDS && !signal.aborted; rounds += 1) {
    const some = await retention.after(kernel.mysql, realmId, last, MAX_AT_ONCE);
    const ids = some.filter(({ sentAt }) => sentAt < seconds).map(({ id }) => id);
    // If this many consecutive messages are young enough, all later ones are too.
    if (ids.length === 0) return true;
    await kernel.transaction(async ({ db }) => {
      await edits.remove(db, { realmId, ids }, await retention.markedBy(db, realmId, ids));
    });
    last = some.at(-1)!.id;
  }
  return false;
}

async function forgetFiles(db: Database, realmId: RealmId, before: Date, signal: AbortSignal): Promise<boolean> {
  for (let rounds = 0; rounds < MAX_ROUNDS && !signal.aborted; rounds += 1) {
    const ids = await retention.unlinkedFiles(db, realmId, before, MAX_AT_ONCE);
    for (const id of ids) await uploads.forget(db, realmId, id);
    if (ids.length < MAX_AT_ONCE) return true;
  }
  return false;
}

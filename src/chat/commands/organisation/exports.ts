/** Exports of an organisation: requested, published to its administrators, failed, and swept. */
import { ensure, Fault } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { realmExports } from '../../actors/mailboxes';
import { eventDelivery } from '../../model/events/event';
import {
  type ExportOrder,
  failedText,
  GIVE_UP_MS,
  KEEP_MS,
  LEFTOVERS_MS,
  MAX_FILE_BYTES,
  MAX_IN_A_WEEK,
  MAX_KEPT,
  type RealmExport,
  WEEK_MS,
} from '../../model/organisation/export';
import {
  exportDeleted,
  exportTooLarge,
  exportUnderWay,
  noSuchExport,
  tooManyExports,
} from '../../model/organisation/organisation-faults';
import { type RealmId, realmTenant } from '../../model/organisation/realm';
import { adminsAmong } from '../../model/streams/stream-events';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat, Sending } from '../../parts';
import { readExports } from '../../queries/organisation/list-exports';
import { spaceUsed } from '../../store/uploads/uploads';
import * as exportRows from '../../store/organisation/exports';
import * as realms from '../../store/organisation/realms';
import * as accounts from '../../store/users/accounts';
import { sendPrivateNotice } from '../messages/send-notice';

type Parts = Pick<Chat, 'realms' | 'transaction'>;

export async function requestExport(chat: Storage & Pick<Chat, 'realms'>, by: User): Promise<{ id: number }> {
  ensureAdmin(by);
  ensure((await spaceUsed(chat.mysql, by.realmId)) <= MAX_FILE_BYTES, exportTooLarge());
  const { realmId } = by;
  const now = chat.clock.now();
  return changingExports(chat, realmId, async (tx) => {
    const known = await exportRows.list(tx.db, realmId);
    ensure(!known.some(({ state }) => state === 'pending'), exportUnderWay());
    ensure(known.filter((each) => isRecent(each, now)).length < MAX_IN_A_WEEK, tooManyExports());
    const id = await exportRows.insert(tx.db, realmId, by.id, now);
    realmExports.at(realmTenant(realmId)).send(tx, { realmId, exportId: id });
    return { id };
  });
}

const isRecent = ({ state, createdAt }: RealmExport, now: Date): boolean =>
  state !== 'failed' && now.getTime() - createdAt.getTime() < WEEK_MS;

/** A running export stops when its worker finds that the export is no longer its own. */
export async function deleteExport(chat: Storage & Pick<Chat, 'realms'>, by: User, id: number): Promise<void> {
  ensureAdmin(by);
  const now = chat.clock.now();
  await changingExports(chat, by.realmId, async (tx) => {
    const found = await exportRows.lock(tx.db, by.realmId, id);
    if (!found || found.state === 'failed') throw noSuchExport();
    ensure(found.state !== 'deleted', exportDeleted());
    await exportRows.update(tx.db, id, { state: 'deleted', deleted_at: now }, now);
  });
  await exportRows.removeChunks(chat.mysql, id);
}

export const changingExports = <T>(chat: Parts, realmId: RealmId, change: (tx: Tx) => Promise<T>): Promise<T> =>
  chat.transaction((tx) => changingExportsIn(tx, chat, realmId, change));

/** Runs a change with the organisation locked, and publishes all exports to its administrators. */
async function changingExportsIn<T>(
  tx: Tx,
  chat: Pick<Chat, 'realms'>,
  realmId: RealmId,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const publicUrl = await chat.realms.publicUrl(realmId);
  await realms.lock(tx.db, realmId);
  const value = await change(tx);
  await publishExports(tx, realmId, publicUrl);
  return value;
}

/** Tells the requester once how an export ended. A requester who has left is skipped. */
export async function notifyOfExport(
  chat: Sending,
  { id, realmId, actingUserId }: Pick<RealmExport, 'id' | 'realmId' | 'actingUserId'>,
  text: string,
): Promise<void> {
  try {
    await sendPrivateNotice(chat, realmId, actingUserId, { content: text, idempotencyKey: `export-${id}` });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    chat.log.debug({ error }, 'could not notify the user who requested an export');
  }
}

/** The organisation must be locked, so that events keep the order of the changes. */
async function publishExports(tx: Tx, realmId: RealmId, publicUrl: string): Promise<void> {
  const exports = await readExports(tx.db, realmId, publicUrl);
  const to = adminsAmong(await accounts.activeRoles(tx.db, realmId));
  tx.deliver(eventDelivery(realmId, to, { type: 'realm_export', exports }));
}

/** Marks an export as failed: there are no further attempts. The sweep removes what is left of its archive. */
export async function failExport(
  tx: Tx,
  chat: Pick<Chat, 'clock' | 'realms'>,
  { realmId, exportId }: ExportOrder,
): Promise<void> {
  const now = chat.clock.now();
  await changingExportsIn(tx, chat, realmId, async ({ db }) => {
    const found = await exportRows.lock(db, realmId, exportId);
    if (found?.state === 'pending') await exportRows.update(db, exportId, { state: 'failed', ended_at: now }, now);
  });
}

/** Tells the requester once that the export failed. */
export async function notifyOfFailure(chat: Sending, { realmId, exportId }: ExportOrder): Promise<void> {
  const found = await exportRows.byId(chat.mysql, realmId, exportId);
  if (found?.state === 'failed') await notifyOfExport(chat, found, failedText);
}

/** Deletes archives that are too old or too many, and fails exports that no worker continues. */
export async function sweepExports(chat: Sending): Promise<void> {
  const { clock, mysql } = chat;
  const now = clock.now().getTime();
  const found = await exportRows.outdated(mysql, new Date(now - KEEP_MS), new Date(now - GIVE_UP_MS));
  for (const { id, realmId, state } of found) {
    const swept = state === 'done' ? expire(chat, realmId, [id]) : giveUp(chat, { realmId, exportId: id });
    // One that fails is tried again with the next sweep, and keeps no other from its turn.
    await swept.catch((error: unknown) => chat.log.error({ error, export: id }, 'could not sweep an export'));
  }
  const leftovers = await exportRows.withLeftovers(mysql, new Date(now - LEFTOVERS_MS));
  for (const id of leftovers) await exportRows.removeChunks(mysql, id);
}

/** An operator discarded it, or its workers died too often. */
async function giveUp(chat: Sending, order: ExportOrder): Promise<void> {
  await chat.transaction((tx) => failExport(tx, chat, order));
  await notifyOfFailure(chat, order);
}

/** Runs after each export. Keeps the newest archives, and the records of exports that are still listed. */
export async function trimExports(chat: Storage & Pick<Chat, 'realms'>, realmId: RealmId): Promise<void> {
  const { mysql } = chat;
  const known = await exportRows.list(mysql, realmId);
  const done = known.filter(({ state }) => state === 'done').map(({ id }) => id);
  await expire(chat, realmId, done.slice(0, -MAX_KEPT));
  const [first] = known;
  if (first) await exportRows.forgetOlder(mysql, realmId, first.id);
}

async function expire(chat: Storage & Pick<Chat, 'realms'>, realmId: RealmId, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const now = chat.clock.now();
  await changingExports(chat, realmId, async (tx) => {
    for (const id of ids) {
      const found = await exportRows.lock(tx.db, realmId, id);
      if (found?.state !== 'done') continue;
      await exportRows.update(tx.db, id, { state: 'deleted', deleted_at: now }, now);
    }
  });
  for (const id of ids) await exportRows.removeChunks(chat.mysql, id);
}

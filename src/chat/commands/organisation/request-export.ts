/** Starts an export of an organisation, or deletes one. */
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import { realmExports } from '../../actors/mailboxes';
import { MAX_FILE_BYTES, MAX_IN_A_WEEK, WEEK_MS, type RealmExport } from '../../model/organisation/export';
import {
  exportDeleted,
  exportTooLarge,
  exportUnderWay,
  noSuchExport,
  tooManyExports,
} from '../../model/organisation/organisation-faults';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import { fileBytes } from '../../store/organisation/exported-messages';
import * as exportRows from '../../store/organisation/exports';
import * as realms from '../../store/organisation/realms';
import { publishExports } from './publish-exports';

export async function requestExport(chat: Chat, by: User): Promise<{ id: number }> {
  ensureAdmin(by);
  ensure((await fileBytes(chat.kernel.mysql, by.realmId)) <= MAX_FILE_BYTES, exportTooLarge());
  const { realmId } = by;
  const now = chat.kernel.clock.now();
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
export async function deleteExport(chat: Chat, by: User, id: number): Promise<void> {
  ensureAdmin(by);
  const now = chat.kernel.clock.now();
  await changingExports(chat, by.realmId, async (tx) => {
    const found = await exportRows.lock(tx.db, by.realmId, id);
    if (!found || found.state === 'failed') throw noSuchExport();
    ensure(found.state !== 'deleted', exportDeleted());
    await exportRows.update(tx.db, id, { state: 'deleted', deleted_at: now }, now);
  });
  await exportRows.removeChunks(chat.kernel.mysql, id);
}

export const changingExports = <T>(chat: Chat, realmId: RealmId, change: (tx: Tx) => Promise<T>): Promise<T> =>
  chat.kernel.transaction((tx) => changingExportsIn(tx, chat, realmId, change));

/** Runs a change with the organisation locked, and publishes all exports to its administrators. */
export async function changingExportsIn<T>(
  tx: Tx,
  chat: Chat,
  realmId: RealmId,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const publicUrl = await chat.realms.publicUrl(realmId);
  await realms.lock(tx.db, realmId);
  const value = await change(tx);
  await publishExports(tx, realmId, publicUrl);
  return value;
}

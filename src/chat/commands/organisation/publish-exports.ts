/** Publishes the list of an organisation's exports to its administrators, after any change. */
import { Fault } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import type { RealmExport } from '../../model/organisation/export';
import type { RealmId } from '../../model/organisation/realm';
import { adminsAmong } from '../../model/streams/stream-events';
import type { Chat } from '../../parts';
import { readExports } from '../../queries/organisation/list-exports';
import * as accounts from '../../store/users/accounts';
import { sendPrivateNoticeOnce } from '../messages/send-notice';

/** Tells the requester once how an export ended. A requester who has left is skipped. */
export async function notifyOfExport(
  chat: Chat,
  { id, realmId, actingUserId }: Pick<RealmExport, 'id' | 'realmId' | 'actingUserId'>,
  text: string,
): Promise<void> {
  try {
    await sendPrivateNoticeOnce(chat, realmId, actingUserId, { content: text, idempotencyKey: `export-${id}` });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    chat.kernel.log.debug({ error }, 'could not notify the user who requested an export');
  }
}

/** The organisation must be locked, so that events keep the order of the changes. */
export async function publishExports(tx: Tx, realmId: RealmId, publicUrl: string): Promise<void> {
  const exports = await readExports(tx.db, realmId, publicUrl);
  const to = adminsAmong(await accounts.activeRoles(tx.db, realmId));
  tx.deliver(eventDelivery(realmId, to, { type: 'realm_export', exports }));
}

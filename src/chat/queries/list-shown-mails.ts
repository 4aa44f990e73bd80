/** The newest mail that a development server shows instead of sending. */
import type { Kernel } from '../../kernel/kernel';
import { listShown, type ShownLetter } from '../../kernel/mail/shown-letters';
import type { Keyspace } from '../../kernel/redis/connections';
import type { RealmId } from '../model/organisation/realm';
import * as mails from '../store/mail/mails';

const MAX = 50;

/** Of this organisation, and of the products beside the chat. */
export async function listShownMails(
  kernel: Keyspace & Pick<Kernel, 'mysql'>,
  realmId: RealmId,
): Promise<ShownLetter[]> {
  const [own, others] = await Promise.all([mails.listShown(kernel.mysql, realmId, MAX), listShown(kernel)]);
  const shown = own.map((mail) => ({ recipient: mail.recipient, text: mail.shown, at: mail.finishedAt.toISOString() }));
  return [...shown, ...others].sort((a, b) => b.at.localeCompare(a.at)).slice(0, MAX);
}

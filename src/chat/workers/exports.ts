/** Writes organisation exports, one per organisation at a time, and reports failures. */
import { endingWith } from '../../kernel/ending';
import { done, endingOf, type Ending } from '../../kernel/mailbox/ending';
import type { Mail } from '../../kernel/mailbox/mailbox';
import { each, type MailTurn } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { realmExports } from '../actors/mailboxes';
import { failExport, notifyOfFailure } from '../commands/organisation/fail-export';
import { writeExport } from '../commands/organisation/write-export';
import type { ExportOrder } from '../model/organisation/export';
import type { Chat } from '../parts';

export const chatExports = (chat: Chat) =>
  mailboxWorker(realmExports, {
    handle: each((turn, { body }) => write(chat, turn, body)),
    onDead: (tx, { body }: Mail<ExportOrder>) => failExport(tx, chat, body),
  });

async function write(chat: Chat, { signal, draining }: MailTurn, order: ExportOrder): Promise<Ending> {
  try {
    await endingWith([signal, draining], (ending) => writeExport(chat, order, ending.signal));
    return done();
  } catch (error) {
    if (draining.aborted) throw error;
    chat.kernel.log.warn({ err: error, export: order.exportId }, 'could not write an export');
    return { ...endingOf(error), after: () => notifyOfFailure(chat, order) };
  }
}

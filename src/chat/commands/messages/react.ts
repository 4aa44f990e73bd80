/** What adding and removing a reaction have in common: the message is held, and everyone who received it is told. */
import type { Kernel } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import type { Message } from '../../model/messages/message';
import { reactionEvent, type Emoji } from '../../model/messages/reaction';
import type { User } from '../../model/users/user';
import { accessMessage, invalidMessages } from '../../queries/messages/access-message';
import * as edits from '../../store/messages/message-edits';

/** The work says which emoji was put there or taken away. */
export async function react(
  kernel: Kernel,
  by: User,
  { id, op }: { readonly id: number; readonly op: 'add' | 'remove' },
  work: (tx: Tx, message: Message) => Promise<Emoji>,
): Promise<void> {
  await accessMessage(kernel, by, id);
  await kernel.transaction(async (tx) => {
    const message = await edits.lock(tx.db, by.realmId, id);
    if (!message) throw invalidMessages();
    const emoji = await work(tx, message);
    // Whoever reacts sees that they did, also where they only look on.
    const to = new Set([...(await edits.receivers(tx.db, message)), by.id]);
    tx.deliver(eventDelivery(by.realmId, [...to], reactionEvent(op, id, emoji, by)));
  });
}

/** The common part of adding and removing a reaction: locks the message and publishes the event to its recipients. */
import type { Kernel } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import type { Message } from '../../model/messages/message';
import { reactionEvent, type Emoji } from '../../model/messages/reaction';
import type { User } from '../../model/users/user';
import { accessMessage, invalidMessages } from '../../queries/messages/access-message';
import * as edits from '../../store/messages/message-edits';

/** `work` returns the emoji that it added or removed. */
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
    // The reacting user gets the event too, even without having received the message.
    const to = new Set([...(await edits.receivers(tx.db, message)), by.id]);
    tx.deliver(eventDelivery(by.realmId, [...to], reactionEvent(op, id, emoji, by)));
  });
}

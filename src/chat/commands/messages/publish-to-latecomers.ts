/** Tells those who never received an edited message that others, which they did receive, have moved with it. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery, type ChatEvent } from '../../model/events/event';
import { topicPartOf, type Change } from '../../model/messages/revision';
import type { User } from '../../model/users/user';
import * as audience from '../../store/messages/message-audience';
import * as messages from '../../store/messages/messages';

/** For streams whose members see nothing of what was said before they came: neither must the event show it. */
export async function publishToLatecomers(
  tx: Tx,
  by: User,
  event: ChatEvent,
  { before, messageIds }: Pick<Change, 'before' | 'messageIds'>,
): Promise<void> {
  if (messageIds.length === 1) return;
  for (const [fromId, userIds] of await audience.latecomers(tx.db, before)) {
    const received = messageIds.filter((id) => id >= fromId).sort((a, b) => a - b);
    const [first] = await messages.byIds(tx.db, by.realmId, received.slice(0, 1));
    if (!first) continue;
    for (const [flags, to] of await audience.byFlags(tx.db, first, new Set(userIds))) {
      tx.deliver(eventDelivery(by.realmId, to, topicPartOf(event, received, flags)));
    }
  }
}

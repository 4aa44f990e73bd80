/** Publishes a topic move to users who received only other messages that moved, not the edited one. */
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery, type ChatEvent } from '../../model/events/event';
import { topicPartOf, type Change } from '../../model/messages/revision';
import type { User } from '../../model/users/user';
import * as audience from '../../store/messages/message-audience';
import * as messages from '../../store/messages/messages';

/** For streams with protected history: the event must not reveal messages from before the user subscribed. */
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

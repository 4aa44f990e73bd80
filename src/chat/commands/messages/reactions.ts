/** Adds a user's reaction to a message, or removes it. */
import type { Storage } from '../../../kernel/kernel';
import { eventDelivery } from '../../model/events/event';
import {
  checkEmoji,
  emojiOf,
  type NamedEmoji,
  noSuchReaction,
  reactionEvent,
  reactionExists,
} from '../../model/messages/reaction';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { accessForChange, invalidMessages } from '../../queries/messages/access-message';
import * as edits from '../../store/messages/message-edits';
import * as reactions from '../../store/messages/reactions';

interface Reaction {
  readonly messageId: number;
  readonly op: 'add' | 'remove';
}

export async function react(
  chat: Storage & Pick<Chat, 'vocabularies'>,
  by: User,
  { messageId, op }: Reaction,
  named: NamedEmoji,
): Promise<void> {
  const { realmEmoji } = await chat.vocabularies.find(by.realmId);
  await accessForChange(chat.mysql, by, messageId);
  await chat.transaction(async (tx) => {
    const message = await edits.lock(tx.db, by.realmId, messageId);
    if (!message) throw invalidMessages();
    const wanted = emojiOf(named, realmEmoji);
    const before = await reactions.alike(tx.db, message, wanted);
    // Under one message an emoji has one name.
    const emoji = { ...wanted, name: before.name ?? wanted.name };
    const hasReacted = before.userIds.includes(by.id);
    if (op === 'add') {
      if (hasReacted) throw reactionExists();
      // Joining an existing reaction works even if its emoji was retired.
      if (before.name === undefined) checkEmoji(wanted, realmEmoji);
      await reactions.insert(tx.db, message, emoji, by.id);
    } else {
      if (!hasReacted) throw noSuchReaction();
      await reactions.remove(tx.db, message, wanted, by.id);
    }
    // The reacting user gets the event too, even without having received the message.
    const to = new Set([...(await edits.receivers(tx.db, message)), by.id]);
    tx.deliver(eventDelivery(by.realmId, [...to], reactionEvent(op, messageId, emoji, by)));
  });
}

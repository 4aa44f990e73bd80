/** Adds a user's reaction to a message, or removes it. */
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import type { Message } from '../../model/messages/message';
import {
  checkEmoji,
  type Emoji,
  emojiOf,
  type NamedEmoji,
  noSuchReaction,
  reactionEvent,
  reactionExists,
} from '../../model/messages/reaction';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { accessMessage, invalidMessages } from '../../queries/messages/access-message';
import * as edits from '../../store/messages/message-edits';
import * as reactions from '../../store/messages/reactions';

type Parts = Storage & Pick<Chat, 'vocabularies'>;

/** `work` returns the emoji that it added or removed. */
async function react(
  kernel: Storage,
  by: User,
  { id, op }: { readonly id: number; readonly op: 'add' | 'remove' },
  work: (tx: Tx, message: Message) => Promise<Emoji>,
): Promise<void> {
  await accessMessage(kernel.mysql, by, id);
  await kernel.transaction(async (tx) => {
    const message = await edits.lock(tx.db, by.realmId, id);
    if (!message) throw invalidMessages();
    const emoji = await work(tx, message);
    // The reacting user gets the event too, even without having received the message.
    const to = new Set([...(await edits.receivers(tx.db, message)), by.id]);
    tx.deliver(eventDelivery(by.realmId, [...to], reactionEvent(op, id, emoji, by)));
  });
}

/** Adds a reaction to a message. */
export async function addReaction(chat: Parts, by: User, id: number, named: NamedEmoji): Promise<void> {
  const { realmEmoji } = await chat.vocabularies.find(by.realmId);
  await react(chat, by, { id, op: 'add' }, async (tx, message) => {
    const wanted = emojiOf(named, realmEmoji);
    const before = await reactions.alike(tx.db, message, wanted);
    if (before.userIds.includes(by.id)) throw reactionExists();
    // Under one message an emoji has one name. Joining an existing reaction works even if its emoji was retired.
    if (before.name === undefined) checkEmoji(wanted, realmEmoji);
    const emoji = { ...wanted, name: before.name ?? wanted.name };
    await reactions.insert(tx.db, message, emoji, by.id);
    return emoji;
  });
}

/** Removes the user's own reaction from a message. */
export async function removeReaction(chat: Parts, by: User, id: number, named: NamedEmoji): Promise<void> {
  const { realmEmoji } = await chat.vocabularies.find(by.realmId);
  await react(chat, by, { id, op: 'remove' }, async (tx, message) => {
    const wanted = emojiOf(named, realmEmoji);
    const before = await reactions.alike(tx.db, message, wanted);
    if (!before.userIds.includes(by.id)) throw noSuchReaction();
    await reactions.remove(tx.db, message, wanted, by.id);
    return { ...wanted, name: before.name ?? wanted.name };
  });
}

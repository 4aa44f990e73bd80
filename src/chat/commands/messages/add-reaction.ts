/** Adds a reaction to a message. */
import { checkEmoji, emojiOf, reactionExists, type NamedEmoji } from '../../model/messages/reaction';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as reactions from '../../store/messages/reactions';
import { react } from './react';

export async function addReaction(chat: Chat, by: User, id: number, named: NamedEmoji): Promise<void> {
  const { realmEmoji } = await chat.vocabularies.find(by.realmId);
  await react(chat.kernel, by, { id, op: 'add' }, async (tx, message) => {
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

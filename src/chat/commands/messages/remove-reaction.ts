/** Removes the user's own reaction from a message. */
import { emojiOf, noSuchReaction, type NamedEmoji } from '../../model/messages/reaction';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as reactions from '../../store/messages/reactions';
import { react } from './react';

export async function removeReaction(chat: Chat, by: User, id: number, named: NamedEmoji): Promise<void> {
  const { realmEmoji } = await chat.vocabularies.find(by.realmId);
  await react(chat.kernel, by, { id, op: 'remove' }, async (tx, message) => {
    const wanted = emojiOf(named, realmEmoji);
    const before = await reactions.alike(tx.db, message, wanted);
    if (!before.userIds.includes(by.id)) throw noSuchReaction();
    await reactions.remove(tx.db, message, wanted, by.id);
    return { ...wanted, name: before.name ?? wanted.name };
  });
}

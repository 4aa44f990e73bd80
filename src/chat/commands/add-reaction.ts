/** Puts an emoji under a message. */
import type { Kernel } from '../../kernel/kernel';
import { checkEmoji, emojiOf, reactionExists, type NamedEmoji } from '../model/reaction';
import type { User } from '../model/user';
import { findVocabulary } from '../queries/find-vocabulary';
import * as reactions from '../store/reactions';
import { react } from './react';

export async function addReaction(kernel: Kernel, by: User, id: number, named: NamedEmoji): Promise<void> {
  const { realmEmoji } = await findVocabulary(kernel, by.realmId);
  await react(kernel, by, { id, op: 'add' }, async (tx, message) => {
    const wanted = emojiOf(named, realmEmoji);
    const before = await reactions.alike(tx.db, message, wanted);
    if (before.userIds.includes(by.id)) throw reactionExists();
    // One picture has one name under a message; who joins in need not know whether it could still be chosen.
    if (before.name === undefined) checkEmoji(wanted, realmEmoji);
    const emoji = { ...wanted, name: before.name ?? wanted.name };
    await reactions.insert(tx.db, message, emoji, by.id);
    return emoji;
  });
}

/** Takes one's emoji away from a message. */
import type { Kernel } from '../../kernel/kernel';
import { emojiOf, noSuchReaction, type NamedEmoji } from '../model/reaction';
import type { User } from '../model/user';
import { findVocabulary } from '../queries/find-vocabulary';
import * as reactions from '../store/reactions';
import { react } from './react';

export async function removeReaction(kernel: Kernel, by: User, id: number, named: NamedEmoji): Promise<void> {
  const { realmEmoji } = await findVocabulary(kernel, by.realmId);
  await react(kernel, by, { id, op: 'remove' }, async (tx, message) => {
    const wanted = emojiOf(named, realmEmoji);
    const before = await reactions.alike(tx.db, message, wanted);
    if (!before.userIds.includes(by.id)) throw noSuchReaction();
    await reactions.remove(tx.db, message, wanted, by.id);
    return { ...wanted, name: before.name ?? wanted.name };
  });
}

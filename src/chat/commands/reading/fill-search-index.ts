/**
 * Indexes the words of new and changed messages, for the cluster. Several workers may run it at once: each transaction
 * first locks the cursor of its organisation, and only then reads the messages to index. So no worker writes words that
 * another has already replaced, and a worker that dies has written nothing.
 */
import type { Kernel } from '../../../kernel/kernel';
import { groupBy } from '../../../kernel/group';
import type { Transact } from '../../../kernel/mysql/transaction';
import { TRAITS } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import { TRAIT_WORDS } from '../../model/reading/narrow-condition';
import { plainText, wordsOf } from '../../model/reading/search-words';
import type { Backlog } from '../../store/counters';
import * as searchIndex from '../../store/reading/search-index';

export { findWork } from '../../store/reading/search-index';

type Parts = Pick<Kernel, 'mysql' | 'transaction'>;

const MAX_AT_ONCE = 200;

export async function fillSearchIndex(kernel: Parts, draining: AbortSignal): Promise<void> {
  // Organisations take turns, a batch each, so that a busy one does not delay the others.
  for (let waiting = await searchIndex.backlogs(kernel.mysql); waiting.length > 0;) {
    const left: Backlog[] = [];
    for (const backlog of waiting) {
      if (draining.aborted) return;
      if ((await takeInSome(kernel.transaction, backlog)) < backlog.head) left.push(backlog);
    }
    waiting = left;
  }
  while (!draining.aborted && (await takeInChanges(kernel)) === MAX_AT_ONCE);
}

/** Returns the last indexed id. */
function takeInSome(transaction: Transact, { realmId, head }: Backlog): Promise<number> {
  return transaction(async ({ db }) => {
    const indexedId = await searchIndex.lockCursor(db, realmId);
    if (indexedId >= head) return indexedId;
    const messages = await searchIndex.nextMessages(db, { realmId, indexedId, head }, MAX_AT_ONCE);
    // Fewer than requested: the other messages up to the head were deleted.
    const reached = messages.length < MAX_AT_ONCE ? head : messages.at(-1)!.id;
    await searchIndex.insertWords(db, realmId, messages.map(entryOf));
    await searchIndex.moveCursor(db, realmId, reached);
    return reached;
  });
}

/** Returns how many changes it found. */
async function takeInChanges(kernel: Parts): Promise<number> {
  const changes = await searchIndex.nextChanges(kernel.mysql, MAX_AT_ONCE);
  for (const [realmId, group] of groupBy(changes, (change) => change.realmId)) {
    await takeInChangesOf(kernel.transaction, realmId, group);
  }
  return changes.length;
}

function takeInChangesOf(
  transaction: Transact,
  realmId: RealmId,
  changes: readonly searchIndex.Change[],
): Promise<void> {
  return transaction(async ({ db }) => {
    await searchIndex.lockCursor(db, realmId);
    for (const change of changes) {
      // Another worker may have indexed it already.
      if (!(await searchIndex.takeChange(db, change))) continue;
      const message = await searchIndex.messageOf(db, change);
      if (message) await searchIndex.insertWords(db, realmId, [entryOf(message)]);
    }
  });
}

function entryOf({ id, topic, rendered, traits }: searchIndex.Indexable): { id: number; words: Set<string> } {
  const words = wordsOf(`${topic} ${plainText(rendered)}`);
  for (const trait of ['link', 'image', 'attachment', 'wildcard'] as const) {
    if ((traits & TRAITS[trait]) !== 0) words.add(TRAIT_WORDS[trait]);
  }
  return { id, words };
}

/**
 * SearchIndex: a leased actor that takes the words of new and changed messages into the search table, for the cluster.
 */
import { defineActor } from '../../../kernel/actor/actor';
import { tenantOf } from '../../../kernel/actor/address';
import { leasedTurn, type Order, type TurnContext } from '../../../kernel/actor/leased-turn';
import { defineJob } from '../../../kernel/jobs/job';
import { TRAITS } from '../../model/messages/message';
import { TRAIT_WORDS } from '../../model/reading/narrow-condition';
import { plainText, wordsOf } from '../../model/reading/search-words';
import * as searchIndex from '../../store/reading/search-index';

const MOST_AT_ONCE = 200;

const job = defineJob<Order<null>>('chat-search', { attempts: 1, backoffMs: 1000 });

export const searchIndexActor = defineActor('search-index', { fill: leasedTurn(job, 1, fill) });

export const searchIndexOrder: Order<null> = {
  address: { tenant: tenantOf('chat', 'cluster'), kind: 'search-index', id: '' },
  input: null,
};

async function fill(turn: TurnContext): Promise<void> {
  // Each has a few of its messages taken in, and then the next: one that sends much keeps no other from being found.
  for (let waiting = await searchIndex.backlogs(turn.kernel.mysql); waiting.length > 0 && !turn.isOver();) {
    const left: searchIndex.Backlog[] = [];
    for (const backlog of waiting) {
      if (turn.isOver()) return;
      const indexedId = await takeInSome(turn, backlog);
      if (indexedId < backlog.head) left.push({ ...backlog, indexedId });
    }
    waiting = left;
  }
  while (!turn.isOver() && (await takeInChanges(turn)) === MOST_AT_ONCE);
}

/** Says how far it has come. */
async function takeInSome(turn: TurnContext, { realmId, indexedId, head }: searchIndex.Backlog): Promise<number> {
  const messages = await searchIndex.nextMessages(turn.kernel.mysql, { realmId, indexedId, head }, MOST_AT_ONCE);
  // Fewer than asked for: what is missing up to the head was deleted.
  const reached = messages.length < MOST_AT_ONCE ? head : messages.at(-1)!.id;
  await turn.commit(async (tx) => {
    await searchIndex.insertWords(tx.db, realmId, messages.map(entryOf));
    await searchIndex.moveCursor(tx.db, realmId, reached);
  });
  return reached;
}

function takeInChanges(turn: TurnContext): Promise<number> {
  return turn.commit(async (tx) => {
    const changed = await searchIndex.takeChanges(tx.db, MOST_AT_ONCE);
    for (const { realmId, message } of changed) await searchIndex.insertWords(tx.db, realmId, [entryOf(message)]);
    return changed.length;
  });
}

function entryOf({ id, topic, rendered, traits }: searchIndex.Indexable): { id: number; words: Set<string> } {
  const words = wordsOf(`${topic} ${plainText(rendered)}`);
  for (const trait of ['link', 'image', 'attachment', 'wildcard'] as const) {
    if ((traits & TRAITS[trait]) !== 0) words.add(TRAIT_WORDS[trait]);
  }
  return { id, words };
}

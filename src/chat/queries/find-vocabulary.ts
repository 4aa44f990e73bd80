/** What an organisation has taught its messages: links, emoji and alert words. Kept for a second, on each node. */
import { Cache, textBytes } from '../../kernel/cache';
import { KeptAnswers } from '../../kernel/kept-answers';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { indexAlertWords, type AlertIndex } from '../model/alert-words';
import type { Linkifier, RealmEmoji } from '../model/markdown/context';
import { topicLinks } from '../model/markdown/topic-links';
import type { RealmId } from '../model/realm';
import { emojiPath } from '../model/realm-emoji';
import * as alertWords from '../store/alert-words';
import * as linkifiers from '../store/linkifiers';
import * as realmEmoji from '../store/realm-emoji';

export interface Vocabulary {
  readonly linkifiers: readonly Linkifier[];
  readonly realmEmoji: readonly RealmEmoji[];
  readonly alertWords: AlertIndex;
  readonly linksOf: (topic: string) => readonly string[];
}

/** A change shows in messages this much later at most, on the other nodes. */
const KEPT_MS = 1000;
/** A large organisation has some thousand emoji and alert words. */
const BOUNDS = { keptMs: KEPT_MS, most: 1000, bytes: 32 * 1024 * 1024, valueBytes: 64 * 1024 };
const kept = perKernel(() => new KeptAnswers<RealmId, Vocabulary>(BOUNDS));

export const findVocabulary = (kernel: Kernel, realmId: RealmId): Promise<Vocabulary> =>
  kept(kernel).get(realmId, () => read(kernel, realmId));

/** The same, if it is there already. */
export const heldVocabulary = (kernel: Kernel, realmId: RealmId): Vocabulary | undefined => kept(kernel).held(realmId);

/** For whoever changes it: their own node knows at once. */
export function forgetVocabulary(kernel: Kernel, realmId: RealmId): void {
  kept(kernel).forget(realmId);
}

async function read(kernel: Kernel, realmId: RealmId): Promise<Vocabulary> {
  const [links, emoji, words] = await Promise.all([
    linkifiers.list(kernel.mysql, realmId),
    realmEmoji.list(kernel.mysql, realmId),
    alertWords.ofRealm(kernel.mysql, realmId),
  ]);
  return {
    linkifiers: links,
    realmEmoji: emoji.map((each) => ({
      id: String(each.id),
      name: each.name,
      url: emojiPath(realmId, each),
      deactivated: !each.isActive,
    })),
    alertWords: indexAlertWords(words),
    linksOf: linkedTopics(links),
  };
}

/** Finds the links of topics, for the subject_links of messages; many of them share a topic. */
export const findTopicLinks = async (kernel: Kernel, realmId: RealmId): Promise<Vocabulary['linksOf']> =>
  (await findVocabulary(kernel, realmId)).linksOf;

const TOPICS = {
  entries: 200,
  bytes: 256 * 1024,
  weigh: (links: readonly string[], topic: string) => 200 + textBytes(topic) + textBytes(links.join()),
};

function linkedTopics(links: readonly Linkifier[]): Vocabulary['linksOf'] {
  const found = new Cache<string, readonly string[]>(TOPICS);
  return (topic) => {
    let own = found.get(topic);
    if (!own) found.set(topic, (own = topicLinks(topic, links)));
    return own;
  };
}

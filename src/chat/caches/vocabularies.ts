/** Each organisation's linkifiers, emoji and alert words for rendering messages. Each node caches them for a second. */
import { Cache, textBytes } from '../../kernel/cache';
import { CachedReads } from '../../kernel/cached-reads';
import type { Database } from '../../kernel/mysql/pool';
import type { Linkifier, RealmEmoji } from '../model/markdown/context';
import { topicLinks } from '../model/markdown/links/topic-links';
import type { RealmId } from '../model/organisation/realm';
import { emojiPath } from '../model/organisation/realm-emoji';
import { indexAlertWords, type AlertIndex } from '../model/users/alert-words';
import * as linkifiers from '../store/organisation/linkifiers';
import * as realmEmoji from '../store/organisation/realm-emoji';
import * as alertWords from '../store/users/alert-words';

export interface Vocabulary {
  readonly linkifiers: readonly Linkifier[];
  readonly realmEmoji: readonly RealmEmoji[];
  readonly alertWords: AlertIndex;
  readonly linksOf: (topic: string) => readonly string[];
}

/** Other nodes apply a change at most this much later. */
const TTL_MS = 1000;
/** A large organisation has several thousand emoji and alert words. */
const BOUNDS = { ttlMs: TTL_MS, entries: 1000, bytes: 32 * 1024 * 1024, valueBytes: 64 * 1024 };

export class VocabularyCache {
  readonly #db: Database;
  readonly #reads = new CachedReads<RealmId, Vocabulary>(BOUNDS);

  constructor(db: Database) {
    this.#db = db;
  }

  find(realmId: RealmId): Promise<Vocabulary> {
    return this.#reads.get(realmId, () => read(this.#db, realmId));
  }

  getCached(realmId: RealmId): Vocabulary | undefined {
    return this.#reads.getCached(realmId);
  }

  /** Returns the links in a topic, for the subject_links of messages. Many messages share a topic. */
  async topicLinks(realmId: RealmId): Promise<Vocabulary['linksOf']> {
    return (await this.find(realmId)).linksOf;
  }

  /** Called by commands that change the vocabulary, so that their own node applies the change at once. */
  delete(realmId: RealmId): void {
    this.#reads.delete(realmId);
  }
}

async function read(db: Database, realmId: RealmId): Promise<Vocabulary> {
  const [links, emoji, words] = await Promise.all([
    linkifiers.list(db, realmId),
    realmEmoji.list(db, realmId),
    alertWords.ofRealm(db, realmId),
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

const TOPICS = {
  entries: 200,
  bytes: 256 * 1024,
  weigh: (links: readonly string[], topic: string) => 200 + textBytes(topic) + textBytes(links.join()),
};

/** Returns a cached lookup of the links in a topic. Many messages share a topic. */
export function linkedTopics(links: readonly Linkifier[]): Vocabulary['linksOf'] {
  const found = new Cache<string, readonly string[]>(TOPICS);
  return (topic) => {
    let own = found.get(topic);
    if (!own) found.set(topic, (own = topicLinks(topic, links)));
    return own;
  };
}

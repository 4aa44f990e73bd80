/**
 * Each organisation's linkifiers, emoji and alert words, for rendering messages. Every change of them is an event in
 * the organisation's log. A node that follows the log caches them until such an event; any other node for a second.
 */
import { Cache, textBytes } from '../../kernel/cache/cache';
import { CachedReads } from '../../kernel/cache/cached-reads';
import type { Database } from '../../kernel/mysql/pool';
import { runRead, together } from '../../kernel/mysql/read-packet';
import type { Linkifier, RealmEmoji } from '../model/markdown/context';
import { topicLinks } from '../model/markdown/links/autolinks';
import type { RealmId } from '../model/organisation/realm';
import { emojiPath } from '../model/organisation/realm-emoji';
import { indexAlertWords, type AlertIndex } from '../model/users/alert-words';
import * as linkifiers from '../store/organisation/linkifiers';
import * as realmEmoji from '../store/organisation/realm-emoji';
import * as alertWords from '../store/users/alert-words';
import type { CallerCache } from './caller-cache';

/** Says whether every event of an organisation has been heard of since a time. */
type Follows = Pick<CallerCache, 'isFollowed'>;

export interface Vocabulary {
  readonly linkifiers: readonly Linkifier[];
  readonly realmEmoji: readonly RealmEmoji[];
  readonly alertWords: AlertIndex;
  readonly linksOf: (topic: string) => readonly string[];
}

/** Events that invalidate a cached vocabulary. */
export const CHANGES_OF_VOCABULARIES: ReadonlySet<string> = new Set(['realm_filters', 'realm_emoji', 'alert_words']);

/** A node that does not follow the log applies a change at most this much later. */
const UNFOLLOWED_MS = 1000;
/** A large organisation has several thousand emoji and alert words. */
const READS = { ttlMs: UNFOLLOWED_MS, entries: 1000, bytes: 32 * 1024 * 1024, valueBytes: 64 * 1024 };

interface Followed {
  readonly vocabulary: Vocabulary;
  /** When its reading began. */
  readonly at: number;
}

const TOPICS = {
  entries: 200,
  bytes: 256 * 1024,
  weigh: (links: readonly string[], topic: string) => 200 + textBytes(topic) + textBytes(links.join()),
};

/** Roughly the size of a linkifier, an emoji or an alert word. */
const TAUGHT_BYTES = 500;
const FOLLOWED = {
  // A bound for errors: the log invalidates it much earlier.
  ttlMs: 300_000,
  entries: 10_000,
  bytes: 32 * 1024 * 1024,
  weigh: ({ vocabulary: { linkifiers: links, realmEmoji: emoji, alertWords: words } }: Followed) =>
    TAUGHT_BYTES * (1 + links.length + emoji.length + words.size) + (links.length === 0 ? 0 : TOPICS.bytes),
};

export class VocabularyCache {
  readonly #db: Database;
  readonly #follows: Follows;
  /** Concurrent callers share a read. */
  readonly #reads = new CachedReads<RealmId, Vocabulary>(READS);
  readonly #followed = new Cache<RealmId, Followed>(FOLLOWED);
  /** Increases with every change: a read that began before may be outdated. */
  #changes = 0;

  constructor(db: Database, follows: Follows) {
    this.#db = db;
    this.#follows = follows;
  }

  async find(realmId: RealmId): Promise<Vocabulary> {
    const followed = this.#followed.get(realmId);
    const isCurrent = followed !== undefined && this.#follows.isFollowed(realmId, followed.at);
    return isCurrent ? followed.vocabulary : this.#reads.get(realmId, () => this.#read(realmId));
  }

  /** Returns the links in a topic, for the subject_links of messages. Many messages share a topic. */
  async topicLinks(realmId: RealmId): Promise<Vocabulary['linksOf']> {
    return (await this.find(realmId)).linksOf;
  }

  /** Called for each change: by its command, so that its own node applies it at once, and by followers of the log. */
  delete(realmId: RealmId): void {
    this.#changes += 1;
    this.#reads.delete(realmId);
    this.#followed.delete(realmId);
  }

  async #read(realmId: RealmId): Promise<Vocabulary> {
    const [at, changes] = [performance.now(), this.#changes];
    const vocabulary = await read(this.#db, realmId);
    const isFollowed = this.#changes === changes && this.#follows.isFollowed(realmId, at);
    if (isFollowed) this.#followed.set(realmId, { vocabulary, at });
    return vocabulary;
  }
}

async function read(db: Database, realmId: RealmId): Promise<Vocabulary> {
  const reads = [linkifiers.listRead(realmId), realmEmoji.listRead(realmId), alertWords.ofRealmRead(realmId)] as const;
  const [links, emoji, words] = await runRead(db, together(reads));
  return {
    linkifiers: links,
    realmEmoji: emoji.map((each) => ({
      id: String(each.id),
      name: each.name,
      url: emojiPath(realmId, each),
      deactivated: !each.isActive,
    })),
    alertWords: indexAlertWords(words),
    linksOf: links.length === 0 ? plainLinks : linkedTopics(links),
  };
}

/** Returns a cached lookup of the links in a topic. Many messages share a topic. */
export function linkedTopics(links: readonly Linkifier[]): Vocabulary['linksOf'] {
  const found = new Cache<string, readonly string[]>(TOPICS);
  return (topic) => {
    let own = found.get(topic);
    if (!own) found.set(topic, (own = topicLinks(topic, links)));
    return own;
  };
}

/** Most organisations have no patterns of their own: these share what was found. */
const plainLinks = linkedTopics([]);

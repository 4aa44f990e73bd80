/** Each organisation's linkifiers, emoji and alert words, for rendering messages. */
import { Cache, textBytes } from '../../kernel/cache/cache';
import type { Database } from '../../kernel/mysql/pool';
import { runRead, together } from '../../kernel/mysql/read-packet';
import type { Linkifier, RealmEmoji, TopicLink } from '../model/markdown/context';
import { topicLinks } from '../model/markdown/links/autolinks';
import type { RealmId } from '../model/organisation/realm';
import { emojiPath } from '../model/organisation/realm-emoji';
import { indexAlertWords, type AlertIndex } from '../model/users/alert-words';
import * as linkifiers from '../store/organisation/linkifiers';
import * as realmEmoji from '../store/organisation/realm-emoji';
import * as alertWords from '../store/users/alert-words';
import { FollowedReads, type Follows } from './followed-reads';

export interface Vocabulary {
  readonly linkifiers: readonly Linkifier[];
  readonly realmEmoji: readonly RealmEmoji[];
  readonly alertWords: AlertIndex;
  readonly linksOf: (topic: string) => readonly TopicLink[];
}

const CHANGES: ReadonlySet<string> = new Set(['realm_filters', 'realm_emoji', 'alert_words']);

const TOPICS = {
  entries: 200,
  bytes: 256 * 1024,
  weigh: (links: readonly TopicLink[], topic: string) =>
    200 + textBytes(topic) + links.reduce((sum, { text, url }) => sum + textBytes(text) + textBytes(url), 0),
};

/** Roughly the size of a linkifier, an emoji or an alert word. */
const TAUGHT_BYTES = 500;
const weigh = ({ linkifiers: links, realmEmoji: emoji, alertWords: words }: Vocabulary): number =>
  TAUGHT_BYTES * (1 + links.length + emoji.length + words.size) + (links.length === 0 ? 0 : TOPICS.bytes);

export class VocabularyCache extends FollowedReads<Vocabulary> {
  constructor(db: Database, follows: Follows) {
    // A large organisation has several thousand emoji and alert words.
    super(follows, { changes: CHANGES, read: (realmId) => read(db, realmId), weigh, valueBytes: 64 * 1024 });
  }

  /** Returns the links in a topic, for messages about it. Many messages share a topic. */
  async topicLinks(realmId: RealmId): Promise<Vocabulary['linksOf']> {
    return (await this.find(realmId)).linksOf;
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
  const found = new Cache<string, readonly TopicLink[]>(TOPICS);
  return (topic) => {
    let own = found.get(topic);
    if (!own) found.set(topic, (own = topicLinks(topic, links)));
    return own;
  };
}

/** Most organisations have no patterns of their own: these share what was found. */
const plainLinks = linkedTopics([]);

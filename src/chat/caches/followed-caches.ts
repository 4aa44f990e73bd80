/** All that this node caches of organisations while it follows their logs. */
import type { Database } from '../../kernel/mysql/pool';
import type { FollowedReads, Follows, Outdating } from './followed-reads';
import { type MuterCache, openMuters } from './muters';
import { openPresencePeople, type PresencePeople } from './presence-people';
import { VocabularyCache } from './vocabularies';

export interface FollowedCaches {
  readonly vocabularies: VocabularyCache;
  /** Who has muted whom. */
  readonly muters: MuterCache;
  readonly presencePeople: FollowedReads<PresencePeople>;
  /** All of these. */
  readonly followedReads: readonly Outdating[];
}

export function openFollowedCaches(db: Database, follows: Follows): FollowedCaches {
  const vocabularies = new VocabularyCache(db, follows);
  const muters = openMuters(db, follows);
  const presencePeople = openPresencePeople(db, follows);
  return { vocabularies, muters, presencePeople, followedReads: [vocabularies, muters, presencePeople] };
}

/**
 * Caches what is read of an organisation and changes seldom. Every change is an event in the organisation's log. A node
 * that follows the log caches until such an event; any other node for a second.
 */
import { Cache } from '../../kernel/cache/cache';
import { CachedReads } from '../../kernel/cache/cached-reads';
import type { RealmId } from '../model/organisation/realm';
import type { CallerCache } from './caller-cache';

/** Says whether every event of an organisation has been heard of since a time. */
export type Follows = Pick<CallerCache, 'isFollowed'>;

/** A node that does not follow the log applies a change at most this much later. */
const UNFOLLOWED_MS = 1000;
/** A bound for errors: the log invalidates what is cached much earlier. */
const FOLLOWED_MS = 300_000;
const MAX_REALMS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

export interface FollowedRules<Value> {
  /** The types of the events after which the value is outdated. */
  readonly changes: ReadonlySet<string>;
  readonly read: (realmId: RealmId) => Promise<Value>;
  /** Approximate bytes of a value. */
  readonly weigh: (value: Value) => number;
  /** The same of a typical large one. */
  readonly valueBytes: number;
}

/** What must be told of changes. */
export type Outdating = Pick<FollowedReads<unknown>, 'changes' | 'delete'>;

interface Followed<Value> {
  readonly value: Value;
  /** When its reading began. */
  readonly at: number;
}

export class FollowedReads<Value> {
  readonly changes: ReadonlySet<string>;
  readonly #read: FollowedRules<Value>['read'];
  readonly #follows: Follows;
  /** Concurrent callers share a read. */
  readonly #reads: CachedReads<RealmId, Value>;
  readonly #followed: Cache<RealmId, Followed<Value>>;
  /** Increases with every change: a read that began before may be outdated. */
  #changed = 0;

  constructor(follows: Follows, { changes, read, weigh, valueBytes }: FollowedRules<Value>) {
    this.changes = changes;
    this.#read = read;
    this.#follows = follows;
    this.#reads = new CachedReads({ ttlMs: UNFOLLOWED_MS, entries: 1000, bytes: MAX_BYTES, valueBytes });
    this.#followed = new Cache({
      ttlMs: FOLLOWED_MS,
      entries: MAX_REALMS,
      bytes: MAX_BYTES,
      weigh: ({ value }) => weigh(value),
    });
  }

  async find(realmId: RealmId): Promise<Value> {
    const followed = this.#followed.get(realmId);
    const isCurrent = followed !== undefined && this.#follows.isFollowed(realmId, followed.at);
    return isCurrent ? followed.value : this.#reads.get(realmId, () => this.#readNow(realmId));
  }

  /** Called for each change: by its command or node, so that it applies there at once, and by followers of the log. */
  delete(realmId: RealmId): void {
    this.#changed += 1;
    this.#reads.delete(realmId);
    this.#followed.delete(realmId);
  }

  async #readNow(realmId: RealmId): Promise<Value> {
    const [at, changed] = [performance.now(), this.#changed];
    const value = await this.#read(realmId);
    const isFollowed = this.#changed === changed && this.#follows.isFollowed(realmId, at);
    if (isFollowed) this.#followed.set(realmId, { value, at });
    return value;
  }
}

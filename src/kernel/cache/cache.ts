/** The project's one cache, bounded in entries, bytes and time to live. The least recently used entry goes first. */
import { LRUCache } from 'lru-cache';

export interface CacheBounds<K, V> {
  readonly entries: number;
  /** The total weight of all entries. A single entry that is heavier is not cached. */
  readonly bytes: number;
  readonly ttlMs?: number;
  /** Approximate bytes of one entry. By default, the key's length plus the size of a small object. */
  readonly weigh?: (value: V, key: K) => number;
  /** Called with the key of each entry that leaves the cache, for any reason. */
  readonly onRemoved?: (key: K) => void;
}

/** A small object and its slot in the cache. */
const SMALL_BYTES = 200;

/** Approximate memory of a text, whatever its characters. */
export const textBytes = (text: string): number => 2 * text.length;

export const smallEntry = (_value: unknown, key: unknown): number =>
  SMALL_BYTES + (typeof key === 'string' ? textBytes(key) : 0);

/** A substring keeps its whole source string in memory, so a cache stores a copy of it. */
export function ownCopy(text: string): string {
  const encoding = /[^\0-\u00ff]/.test(text) ? 'utf16le' : 'latin1';
  return Buffer.from(text, encoding).toString(encoding);
}

function openLru<K extends string | number, V extends NonNullable<unknown>>(bounds: CacheBounds<K, V>): LRUCache<K, V> {
  const { entries, bytes, ttlMs, weigh = smallEntry, onRemoved } = bounds;
  return new LRUCache({
    max: entries,
    maxSize: bytes,
    sizeCalculation: (value, key) => Math.max(1, Math.ceil(weigh(value, key))),
    ...(ttlMs === undefined ? {} : { ttl: ttlMs }),
    // An entry that replaces another under the same key has not left.
    ...(onRemoved ? { dispose: (_value, key, reason) => reason !== 'set' && onRemoved(key) } : {}),
  });
}

export class Cache<K extends string | number, V extends NonNullable<unknown>> {
  readonly #bounds: CacheBounds<K, V>;
  /** Created with the first entry: an LRUCache allocates room for all its entries, and many caches stay empty. */
  #kept: LRUCache<K, V> | undefined;
  #purgeAt = 0;

  constructor(bounds: CacheBounds<K, V>) {
    this.#bounds = bounds;
  }

  get(key: K): V | undefined {
    return this.#kept?.get(key);
  }

  set(key: K, value: V): void {
    this.#purge();
    this.#kept ??= openLru(this.#bounds);
    this.#kept.set((typeof key === 'string' ? ownCopy(key) : key) as K, value);
  }

  delete(key: K): void {
    this.#kept?.delete(key);
  }

  clear(): void {
    this.#kept?.clear();
  }

  get size(): number {
    return this.#kept?.size ?? 0;
  }

  get bytes(): number {
    return this.#kept?.calculatedSize ?? 0;
  }

  /** Removes expired entries that nobody reads again, all of them once per time to live. */
  #purge(): void {
    const { ttlMs } = this.#bounds;
    if (ttlMs === undefined) return;
    const now = performance.now();
    if (now < this.#purgeAt) return;
    this.#purgeAt = now + ttlMs;
    this.#kept?.purgeStale();
  }
}

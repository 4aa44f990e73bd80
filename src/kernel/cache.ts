/** The project's one cache, bounded in entries, bytes and time to live. The least recently used entry goes first. */
import { LRUCache } from 'lru-cache';

export interface CacheBounds<K, V> {
  readonly entries: number;
  /** What all entries together may weigh; an entry that is heavier alone is not kept. */
  readonly bytes: number;
  readonly ttlMs?: number;
  /** Bytes of one entry, about; without it a key counts by its length and a value as a small object. */
  readonly weigh?: (value: V, key: K) => number;
  /** Called with the key of each entry that has left the cache, for whatever reason. */
  readonly onRemoved?: (key: K) => void;
}

/** A small object with its place in the cache. */
const SMALL_BYTES = 200;

/** About what a text takes in memory, whatever letters it is of. */
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
    // An entry that takes the place of another under the same key has not left.
    ...(onRemoved ? { dispose: (_value, key, reason) => reason !== 'set' && onRemoved(key) } : {}),
  });
}

export class Cache<K extends string | number, V extends NonNullable<unknown>> {
  readonly #bounds: CacheBounds<K, V>;
  /** Opened for the first entry: it takes memory for all its entries at once, and many caches of a process stay empty. */
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

  deleteWhere(isMeant: (value: V) => boolean): void {
    for (const [key, value] of this.#kept?.entries() ?? []) if (isMeant(value)) this.#kept?.delete(key);
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

  /** Old entries go even if nobody asks for them again: once per time to live, all of them. */
  #purge(): void {
    const { ttlMs } = this.#bounds;
    if (ttlMs === undefined) return;
    const now = performance.now();
    if (now < this.#purgeAt) return;
    this.#purgeAt = now + ttlMs;
    this.#kept?.purgeStale();
  }
}

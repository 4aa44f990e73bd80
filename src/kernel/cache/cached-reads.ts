/** A cache of reads by key. Concurrent callers share one read, and a read that failed is not cached. */
import { Cache, smallEntry } from './cache';

interface Read<V> {
  readonly promise: Promise<V>;
  /** Set once the promise is resolved. */
  value?: V;
  /** When the next read should begin, so that frequent callers never wait. */
  readonly refreshAt: number;
}

export interface ReadBounds {
  readonly entries: number;
  readonly bytes: number;
  readonly ttlMs: number;
  /** Approximate bytes of a value besides its key. By default, a small object. */
  readonly valueBytes?: number;
}

export class CachedReads<K extends string | number, V> {
  readonly #reads: Cache<K, Read<V>>;
  readonly #refreshMs: number;

  constructor({ entries, bytes, ttlMs, valueBytes = 0 }: ReadBounds) {
    this.#reads = new Cache({ entries, bytes, ttlMs, weigh: (read, key) => smallEntry(read, key) + valueBytes });
    this.#refreshMs = ttlMs / 2;
  }

  get(key: K, read: () => Promise<V>): Promise<V> {
    return this.#reads.get(key)?.promise ?? this.#begin(key, read);
  }

  /**
   * The value if it is cached already. It is read again in the second half of its time to live, so that callers never
   * wait.
   */
  getRefreshed(key: K, read: () => Promise<V>): V | undefined {
    const cached = this.#reads.get(key);
    if (cached?.value === undefined) return undefined;
    if (performance.now() >= cached.refreshAt) this.#begin(key, read, cached.value).catch(() => {});
    return cached.value;
  }

  delete(key: K): void {
    this.#reads.delete(key);
  }

  clear(): void {
    this.#reads.clear();
  }

  #begin(key: K, read: () => Promise<V>, before?: V): Promise<V> {
    const promise = read();
    const begun: Read<V> = { promise, refreshAt: performance.now() + this.#refreshMs };
    if (before !== undefined) begun.value = before;
    this.#reads.set(key, begun);
    promise.then(
      (value) => (begun.value = value),
      () => {
        // A newer read may have replaced this one.
        if (this.#reads.get(key) === begun) this.#reads.delete(key);
      },
    );
    return promise;
  }
}

/** A cache of what is read by key. Callers that ask at the same time share one read; a read that failed is not kept. */
import { Cache, smallEntry } from './cache';

interface Read<V> {
  readonly promise: Promise<V>;
  /** Set once the promise is resolved. */
  value?: V;
  /** When the next read should begin, so that callers who ask often never wait. */
  readonly refreshAt: number;
}

export interface ReadBounds {
  readonly entries: number;
  readonly bytes: number;
  readonly ttlMs: number;
  /** Bytes of a value beside its key, about; without it a small object. */
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

  /** The value if it is here already: callers on the hot path need not even wait for a promise. */
  getCached(key: K): V | undefined {
    return this.#reads.get(key)?.value;
  }

  /** The same. In the second half of its time to live the value is read again, so that callers never wait for it. */
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
        // A newer read may have taken its place.
        if (this.#reads.get(key) === begun) this.#reads.delete(key);
      },
    );
    return promise;
  }
}

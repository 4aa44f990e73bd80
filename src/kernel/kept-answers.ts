/** Answers kept for a moment: whoever asks first reads, the others share. What failed is asked for again. */
import { Cache, smallEntry } from './cache';

interface Kept<V> {
  readonly until: number;
  readonly answer: Promise<V>;
  /** Once it is there. */
  value?: V;
}

export interface KeptBounds {
  readonly keptMs: number;
  readonly most: number;
  readonly bytes: number;
  /** What a value weighs beside its key; without it little. */
  readonly valueBytes?: number;
}

export class KeptAnswers<K extends string | number, V> {
  readonly #kept: Cache<K, Kept<V>>;
  readonly #keptMs: number;

  constructor({ keptMs, most, bytes, valueBytes = 0 }: KeptBounds) {
    this.#kept = new Cache({
      entries: most,
      bytes,
      ttlMs: keptMs,
      weigh: (value, key) => smallEntry(value, key) + valueBytes,
    });
    this.#keptMs = keptMs;
  }

  get(key: K, read: () => Promise<V>): Promise<V> {
    const known = this.#kept.get(key);
    return known && known.until > performance.now() ? known.answer : this.#ask(key, read);
  }

  /** What is there already and not too old: whoever finds it here need not wait, not even for a promise. */
  held(key: K): V | undefined {
    const known = this.#kept.get(key);
    return known && known.until > performance.now() ? known.value : undefined;
  }

  /** What is known at once. It is asked for again before it is too old, so that nobody who asks often has to wait. */
  peek(key: K, read: () => Promise<V>): V | undefined {
    const known = this.#kept.get(key);
    const left = known ? known.until - performance.now() : 0;
    if (!known || left <= 0) return undefined;
    const { value } = known;
    if (value !== undefined && left < this.#keptMs / 2) void this.#ask(key, read, value).catch(() => {});
    return value;
  }

  #ask(key: K, read: () => Promise<V>, before?: V): Promise<V> {
    const answer = read();
    const kept: Kept<V> = { until: performance.now() + this.#keptMs, answer };
    if (before !== undefined) kept.value = before;
    this.#kept.set(key, kept);
    answer.then(
      (value) => (kept.value = value),
      () => this.#kept.delete(key),
    );
    return answer;
  }

  forget(key: K): void {
    this.#kept.delete(key);
  }

  forgetAll(): void {
    this.#kept.clear();
  }
}

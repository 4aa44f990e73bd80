/** Answers kept for a moment: whoever asks first reads, the others share. What failed is asked for again. */
import { BoundedMap } from './bounded-map';

interface Kept<V> {
  readonly until: number;
  readonly answer: Promise<V>;
}

export class KeptAnswers<K, V> {
  readonly #kept: BoundedMap<K, Kept<V>>;
  readonly #keptMs: number;

  constructor({ keptMs, most }: { keptMs: number; most: number }) {
    this.#kept = new BoundedMap(most);
    this.#keptMs = keptMs;
  }

  get(key: K, read: () => Promise<V>): Promise<V> {
    const now = performance.now();
    const known = this.#kept.get(key);
    if (known && known.until > now) return known.answer;
    const answer = read();
    this.#kept.set(key, { until: now + this.#keptMs, answer });
    answer.catch(() => this.#kept.delete(key));
    return answer;
  }

  forget(key: K): void {
    this.#kept.delete(key);
  }

  forgetAll(): void {
    this.#kept.clear();
  }
}

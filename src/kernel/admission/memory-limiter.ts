/**
 * A rate limiter in process memory. The library's limiter forgets a caller only when its window ends, however many
 * callers there are. This one also forgets the least recent caller when there are too many.
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { ownCopy } from '../cache/cache';
import type { RateRule } from '../settings';

/** How many callers a limiter remembers. */
const MAX_CALLERS = 50_000;

type Options = Record<string, unknown>;

export class MemoryLimiter extends RateLimiterMemory {
  /** Keys by themselves, the most recent last. A caller whose window has ended costs only its key. */
  readonly #callers = new Map<string, string>();

  constructor({ requests, seconds }: RateRule) {
    super({ points: requests, duration: seconds });
  }

  override consume(key: string | number, points?: number, options?: Options): Promise<RateLimiterRes> {
    this.#noteUse(String(key));
    return super.consume(key, points, options);
  }

  override reward(key: string | number, points?: number, options?: Options): Promise<RateLimiterRes> {
    this.#noteUse(String(key));
    return super.reward(key, points, options);
  }

  #noteUse(given: string): void {
    const key = this.#callers.get(given) ?? ownCopy(given);
    // A Map keeps insertion order.
    this.#callers.delete(key);
    this.#callers.set(key, key);
    if (this.#callers.size <= MAX_CALLERS) return;
    const oldest = this.#callers.keys().next().value!;
    this.#callers.delete(oldest);
    void this.delete(oldest);
  }
}

/**
 * Counts callers in the memory of a process. The library's limiter forgets a caller only when the window ends, however
 * many callers there are; this one also forgets the least recent caller when there are too many.
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { ownCopy } from './cache';
import type { RateRule } from './settings';

/** Callers that a limit remembers. */
const MOST_CALLERS = 50_000;

type Options = Record<string, unknown>;

export class MemoryLimiter extends RateLimiterMemory {
  /** Keys under themselves; the most recent comes last. A caller whose window has ended costs no more than the key. */
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
    // A map keeps the order in which its keys were added.
    this.#callers.delete(key);
    this.#callers.set(key, key);
    if (this.#callers.size <= MOST_CALLERS) return;
    const oldest = this.#callers.keys().next().value!;
    this.#callers.delete(oldest);
    void this.delete(oldest);
  }
}

/**
 * Counts callers in the memory of a process. The library's limiter forgets a caller only when the window ends, however
 * many callers there are; this one also forgets the least recent caller when there are too many.
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Cache } from './cache';
import type { RateRule } from './settings';

/** Callers that a limit remembers. */
const CALLER_BOUNDS = { entries: 50_000, bytes: 24 * 1024 * 1024 };

type Options = Record<string, unknown>;

export class MemoryLimiter extends RateLimiterMemory {
  readonly #callers: Cache<string, true>;

  constructor({ requests, seconds }: RateRule) {
    super({ points: requests, duration: seconds });
    // A caller who was not seen for a whole window has no count left in the limiter either.
    const ttlMs = seconds * 1000;
    this.#callers = new Cache({ ...CALLER_BOUNDS, ttlMs, onRemoved: (key) => void this.delete(key) });
  }

  override consume(key: string | number, points?: number, options?: Options): Promise<RateLimiterRes> {
    this.#callers.set(String(key), true);
    return super.consume(key, points, options);
  }

  override reward(key: string | number, points?: number, options?: Options): Promise<RateLimiterRes> {
    this.#callers.set(String(key), true);
    return super.reward(key, points, options);
  }
}

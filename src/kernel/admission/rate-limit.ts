/** Rate limits of callers, across all nodes or per node. A limit must never become an outage. */
import { hash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Cache, ownCopy } from '../cache/cache';
import { Fault } from '../fault';
import type { Keyspace } from '../redis/connections';
import type { RateRule } from '../settings';

type Headers = Readonly<Record<string, string>>;

export interface RateLimit {
  /** Counts one request. Returns the headers with what is left; throws if nothing is. */
  count(key: string): Promise<Headers>;
}

/** A limit that a process counts alone. */
export interface LocalRateLimit extends RateLimit {
  /** Counts one request synchronously. False if the caller has used up the limit: `count` says how long to wait. */
  take(key: string): boolean;
}

const UNLIMITED = Promise.resolve<Headers>({});
const NO_LIMIT: LocalRateLimit = { count: () => UNLIMITED, take: () => true };

/**
 * Redis counts every request, across all nodes. While Redis is unreachable, each node counts in its own memory. A
 * caller that has used up the limit is refused from memory until the window ends, so that refusals cost Redis nothing.
 */
export function openRateLimit({ namespace, redis }: Keyspace, name: string, rule: RateRule | null): RateLimit {
  if (rule === null) return NO_LIMIT;
  const limiter = new RateLimiterRedis({
    storeClient: redis.commands,
    rejectIfRedisNotReady: true,
    keyPrefix: `${namespace}:limit:${name}`,
    points: rule.requests,
    duration: rule.seconds,
    inMemoryBlockOnConsumed: rule.requests,
    insuranceLimiter: new MemoryLimiter(rule),
  });
  return limitOf(rule, (key) => limiter.consume(key));
}

/** A limit that each process counts in its own memory, for calls too frequent to count in Redis. */
export function openLocalRateLimit(rule: RateRule | null, remembered = MAX_REMEMBERED): LocalRateLimit {
  if (rule === null) return NO_LIMIT;
  const limiter = new MemoryLimiter(rule, remembered);
  /** Counting costs time, so frequent callers are counted several requests in advance, up to 1% of the limit. */
  const together = Math.max(1, Math.min(MAX_TOGETHER, Math.floor(rule.requests / 100)));
  const inAdvance = new Map<string, number>();
  const usedUp = new Cache<string, true>({ entries: remembered, bytes: remembered * 1000 });

  async function consume(key: string, requests: number): Promise<RateLimiterRes> {
    let hasMore = false;
    try {
      const counted = await limiter.consume(key, requests);
      hasMore = counted.remainingPoints > 0;
      return counted;
    } finally {
      if (hasMore) usedUp.delete(key);
      else usedUp.set(key, true);
    }
  }

  function take(key: string): boolean {
    const left = inAdvance.get(key) ?? 0;
    if (left === 0 && usedUp.get(key)) return false;
    if (inAdvance.size > remembered) inAdvance.clear();
    inAdvance.set(key, left > 0 ? left - 1 : together - 1);
    // A caller over the limit is refused from the next request on.
    if (left === 0) consume(key, together).catch(() => undefined);
    return true;
  }

  const limit = limitOf(rule, (key) => consume(key, 1));
  return { count: (key) => limit.count(key), take: (key) => take(boundedKey(key)) };
}

const MAX_TOGETHER = 16;
/** How many callers are remembered. A forgotten caller gets a few more requests. */
const MAX_REMEMBERED = 50_000;

/** Longer keys are counted by their hash, so that text from a caller takes no room here or in Redis. */
const MAX_KEY_LENGTH = 80;
const boundedKey = (key: string): string => (key.length > MAX_KEY_LENGTH ? hash('sha256', key) : key);

function limitOf(rule: RateRule, consume: (key: string) => Promise<RateLimiterRes>): RateLimit {
  return {
    async count(key) {
      try {
        return headersOf(rule, await consume(boundedKey(key)));
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? tooMany(rule, refusal) : refusal;
      }
    },
  };
}

const headersOf = ({ requests }: RateRule, { remainingPoints, msBeforeNext }: RateLimiterRes): Headers => ({
  'X-RateLimit-Limit': String(requests),
  'X-RateLimit-Remaining': String(remainingPoints),
  'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeNext) / 1000)),
});

function tooMany(rule: RateRule, refusal: RateLimiterRes): Fault {
  const seconds = Math.max(refusal.msBeforeNext, 1) / 1000;
  return new Fault('too-many', 'API usage exceeded rate limit', {
    fields: { 'retry-after': seconds },
    headers: { ...headersOf(rule, refusal), 'Retry-After': String(Math.ceil(seconds)) },
  });
}

type Options = Record<string, unknown>;

/**
 * A rate limiter in process memory. The library's limiter forgets a caller only when its window ends, however many
 * callers there are. This one also forgets the least recent caller when there are too many.
 */
export class MemoryLimiter extends RateLimiterMemory {
  /** Keys by themselves, the most recent last. A caller whose window has ended costs only its key. */
  readonly #callers = new Map<string, string>();
  readonly #remembered: number;

  constructor({ requests, seconds }: RateRule, remembered = MAX_REMEMBERED) {
    super({ points: requests, duration: seconds });
    this.#remembered = remembered;
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
    if (this.#callers.size <= this.#remembered) return;
    const oldest = this.#callers.keys().next().value!;
    this.#callers.delete(oldest);
    void this.delete(oldest);
  }
}

/** Limits how often a caller may ask: across all nodes, or on each node by itself. A limit must never become an outage. */
import { hash } from 'node:crypto';
import { RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { Fault } from '../fault';
import type { Kernel } from '../kernel';
import { MemoryLimiter } from '../memory-limiter';
import type { RateRule } from '../settings';

type Headers = Readonly<Record<string, string>>;

export interface RateLimit {
  /** Counts one request. Gives the headers that tell how many are left; throws when none are. */
  count(key: string): Promise<Headers>;
}

const UNLIMITED = Promise.resolve<Headers>({});
const NO_LIMIT: RateLimit = { count: () => UNLIMITED };

/**
 * Redis counts every request, for all nodes together. While Redis is away, each node counts in its own memory. A caller
 * who has used up the limit is refused from memory until the window ends, so that the refusals cost Redis nothing.
 */
export function openRateLimit(
  { namespace, redis }: Pick<Kernel, 'namespace' | 'redis'>,
  name: string,
  rule: RateRule | null,
): RateLimit {
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
  return limitOf(rule, limiter);
}

/** A limit that each process counts in its own memory, for calls too frequent to ask Redis about. */
export const openLocalRateLimit = (rule: RateRule | null): RateLimit =>
  rule === null ? NO_LIMIT : limitOf(rule, new MemoryLimiter(rule));

/** Longer keys are counted by their hash, so that what a caller wrote takes no room here or in Redis. */
const LONGEST_KEY = 80;
const boundedKey = (key: string): string => (key.length > LONGEST_KEY ? hash('sha256', key) : key);

function limitOf(rule: RateRule, limiter: RateLimiterAbstract): RateLimit {
  return {
    async count(key) {
      try {
        return headersOf(rule, await limiter.consume(boundedKey(key)));
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

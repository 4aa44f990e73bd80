/** Counts requests per caller in Redis, and in memory while Redis is away: a limit must not become an outage. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Fault } from '../fault';
import type { Kernel } from '../kernel';
import type { RateRule } from '../settings';

export interface RateLimit {
  /** Counts one request and gives the headers that tell how many are left; throws when none are. */
  count(key: string): Promise<Readonly<Record<string, string>>>;
}

export function openRateLimit(kernel: Kernel, name: string, rule: RateRule | null): RateLimit {
  if (rule === null) return { count: () => Promise.resolve({}) };
  const { seconds: duration, requests: points } = rule;
  const limiter = new RateLimiterRedis({
    storeClient: kernel.redis.commands,
    keyPrefix: `${kernel.namespace}:limit:${name}`,
    points,
    duration,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({ points, duration }),
  });
  return limitWith(limiter, points);
}

function limitWith(limiter: { consume(key: string): Promise<RateLimiterRes> }, points: number): RateLimit {
  const headersOf = (state: RateLimiterRes) => ({
    'X-RateLimit-Limit': String(points),
    'X-RateLimit-Remaining': String(Math.max(0, state.remainingPoints)),
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + state.msBeforeNext) / 1000)),
  });
  return {
    async count(key) {
      try {
        return headersOf(await limiter.consume(key));
      } catch (state) {
        if (!(state instanceof RateLimiterRes)) throw state;
        const wait = Math.max(state.msBeforeNext, 1) / 1000;
        throw new Fault('too-many', 'API usage exceeded rate limit', {
          fields: { 'retry-after': wait },
          headers: { ...headersOf(state), 'Retry-After': String(Math.ceil(wait)) },
        });
      }
    },
  };
}

/** A limit that each process keeps by itself, for calls too frequent to ask Redis about. */
export interface LocalRateLimit extends RateLimit {
  /** Counts one request, at once; says whether there was one left. */
  take(key: string | number): boolean;
}

export function openLocalRateLimit(rule: RateRule | null): LocalRateLimit {
  if (rule === null) return { take: () => true, count: () => Promise.resolve({}) };
  const { requests, seconds } = rule;
  // Everybody's time begins anew together, so that nobody has to be forgotten by themselves.
  let counted = new Map<string | number, number>();
  let end = 0;
  const take = (key: string | number): number => {
    const now = performance.now();
    if (now >= end) {
      counted = new Map();
      end = now + seconds * 1000;
    }
    const used = (counted.get(key) ?? 0) + 1;
    counted.set(key, used);
    return requests - used;
  };
  const limiter = {
    consume(key: string): Promise<RateLimiterRes> {
      const left = take(key);
      const state = new RateLimiterRes(left, end - performance.now(), requests - left);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as the limiters of the library do
      return left >= 0 ? Promise.resolve(state) : Promise.reject(state);
    },
  };
  return { take: (key) => take(key) >= 0, ...limitWith(limiter, requests) };
}

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
export function openLocalRateLimit(rule: RateRule | null): RateLimit {
  if (rule === null) return { count: () => Promise.resolve({}) };
  return limitWith(new RateLimiterMemory({ points: rule.requests, duration: rule.seconds }), rule.requests);
}

/** Limits how often a caller may ask: over all nodes, or on each node by itself. A limit must never become an outage. */
import { Fault } from '../fault';
import type { Kernel } from '../kernel';
import type { RateRule } from '../settings';
import { SharedCount, type Counted } from './shared-count';

type Headers = Readonly<Record<string, string>>;

export interface RateLimit {
  /** Counts one request and gives the headers that tell how many are left; throws when none are. */
  count(key: string): Headers | Promise<Headers>;
}

/** Of what is theirs in a window, so much may a node serve to one caller before it tells the others. */
const AHEAD_SHARE = 1 / 40;

/** Exactly as many as the rule says. */
export function openRateLimit(kernel: Kernel, name: string, rule: RateRule | null): RateLimit {
  return rule ? limitOf(rule, new SharedCount(kernel, name, rule, 0)) : NO_LIMIT;
}

/** As many as the rule says, without asking Redis at each request of those who are far from it (see shared-count.ts). */
export function openSwiftRateLimit(kernel: Kernel, name: string, rule: RateRule | null): RateLimit {
  if (!rule) return NO_LIMIT;
  return limitOf(rule, new SharedCount(kernel, name, rule, Math.floor(rule.requests * AHEAD_SHARE)));
}

const NO_LIMIT: RateLimit = { count: () => ({}) };

function limitOf({ requests }: RateRule, counter: { count(key: string): Counted | Promise<Counted> }): RateLimit {
  const judge = ({ used, leftMs }: Counted): Headers => {
    const headers = {
      'X-RateLimit-Limit': String(requests),
      'X-RateLimit-Remaining': String(Math.max(0, requests - used)),
      'X-RateLimit-Reset': String(Math.ceil((Date.now() + leftMs) / 1000)),
    };
    if (used <= requests) return headers;
    const wait = Math.max(leftMs, 1) / 1000;
    throw new Fault('too-many', 'API usage exceeded rate limit', {
      fields: { 'retry-after': wait },
      headers: { ...headers, 'Retry-After': String(Math.ceil(wait)) },
    });
  };
  return {
    count(key) {
      const counted = counter.count(key);
      return counted instanceof Promise ? counted.then(judge) : judge(counted);
    },
  };
}

/** A limit that each process keeps by itself, for calls too frequent to ask Redis about. */
export interface LocalRateLimit extends RateLimit {
  /** Counts one request, at once; says whether there was one left. */
  take(key: string | number): boolean;
}

export function openLocalRateLimit(rule: RateRule | null): LocalRateLimit {
  if (rule === null) return { ...NO_LIMIT, take: () => true };
  const { requests, seconds } = rule;
  // Everybody's time begins anew together, so that nobody has to be forgotten by themselves.
  let counted = new Map<string | number, number>();
  let endsAt = 0;
  const count = (key: string | number): Counted => {
    const now = performance.now();
    if (now >= endsAt) {
      counted = new Map();
      endsAt = now + seconds * 1000;
    }
    const used = (counted.get(key) ?? 0) + 1;
    counted.set(key, used);
    return { used, leftMs: endsAt - now };
  };
  return { take: (key) => count(key).used <= requests, ...limitOf(rule, { count }) };
}

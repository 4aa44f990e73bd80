/**
 * Counts what callers do in a window of time, over all nodes. Redis has the sum. A node counts a few requests of a
 * caller by itself before it tells Redis of them; whoever has used half of what is theirs is announced to all nodes,
 * which then tell what they have, and from then on Redis counts each of their requests before it is served.
 */
import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { Cache } from '../cache';
import type { Kernel } from '../kernel';
import { channelName } from '../redis/channel';
import { runPipeline } from '../redis/run-pipeline';
import type { RateRule } from '../settings';

export interface Counted {
  readonly used: number;
  /** Until counting begins anew. */
  readonly leftMs: number;
}

/** One caller's window, as far as this node knows it. */
interface Window {
  readonly key: string;
  /** By a clock that is never set. */
  endsAt: number;
  /** What all nodes had counted when Redis was last told. */
  used: number;
  /** What this one has counted since, and of that, what Redis is just being told. */
  untold: number;
  telling: number;
  /** Redis counts every request, before it is served. */
  isClose: boolean;
}

const leftOf = ({ endsAt }: Window): number => endsAt - performance.now();
const countedHere = (window: Window): Counted => ({ used: window.used + window.untold, leftMs: leftOf(window) });

const [MOST_WINDOWS, WINDOWS_BYTES] = [50_000, 24 * 1024 * 1024];
/** Longer keys are counted by their hash: what a caller wrote takes no room here or in Redis. */
const LONGEST_KEY = 80;

export class SharedCount {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #rule: RateRule;
  /** So many requests of one caller may be untold; none, if Redis is to count each. */
  readonly #ahead: number;
  readonly #windows: Cache<string, Window>;

  // oxlint-disable-next-line max-params -- where, what, how much, how exactly
  constructor(kernel: Kernel, name: string, rule: RateRule, ahead: number) {
    this.#kernel = kernel;
    this.#name = name;
    this.#rule = rule;
    this.#ahead = ahead;
    this.#windows = new Cache({ entries: MOST_WINDOWS, bytes: WINDOWS_BYTES, ttlMs: 2 * this.#windowMs });
    if (ahead === 0) return;
    const listener = { receive: (news: string) => this.#hear(news), resumed: () => {} };
    kernel.channel
      .listen(this.#channel, listener)
      .catch((error: Error) => kernel.log.debug({ error }, 'could not listen for those close to their limit'));
  }

  /** Counts one more. It fails never: while Redis is away, this node counts alone. */
  count(key: string): Counted | Promise<Counted> {
    const window = this.#windowOf(key.length > LONGEST_KEY ? hash('sha256', key) : key);
    // It is over for them until the window is, and Redis need not hear of it.
    if (window.used >= this.#rule.requests) return { used: window.used + 1, leftMs: leftOf(window) };
    window.untold += 1;
    return window.isClose || window.untold > this.#ahead ? this.#countInRedis(window) : countedHere(window);
  }

  #windowOf(key: string): Window {
    const now = performance.now();
    const known = this.#windows.get(key);
    if (known && known.endsAt > now) return known;
    const window = { key, endsAt: now + this.#windowMs, used: 0, untold: 0, telling: 0, isClose: this.#ahead === 0 };
    this.#windows.set(key, window);
    return window;
  }

  async #countInRedis(window: Window): Promise<Counted> {
    const here = countedHere(window);
    try {
      return await this.#tell(window);
    } catch {
      return here;
    }
  }

  /** Adds to the sum in Redis what was counted here, and takes over what it is now. */
  async #tell(window: Window): Promise<Counted> {
    const [key, count] = [this.#keyOf(window), window.untold - window.telling];
    const pipeline = this.#redis.pipeline();
    pipeline.set(key, 0, 'PX', this.#windowMs, 'NX').incrby(key, count).pttl(key);
    window.telling += count;
    try {
      const [, used, leftMs] = (await runPipeline(pipeline)) as [unknown, number, number];
      window.untold -= count;
      return this.#takeOver(window, used, leftMs);
    } finally {
      window.telling -= count;
    }
  }

  #takeOver(window: Window, used: number, leftMs: number): Counted {
    // The window ended between two commands, and what began has no end yet.
    if (leftMs < 0) {
      leftMs = this.#windowMs;
      this.#redis.pexpire(this.#keyOf(window), leftMs).catch(() => {});
    }
    window.used = used;
    window.endsAt = performance.now() + leftMs;
    if (!window.isClose && used >= this.#rule.requests / 2) {
      window.isClose = true;
      this.#redis
        .publish(channelName(this.#kernel.namespace, this.#channel), `${leftMs} ${window.key}`)
        .catch(() => {});
    }
    return { used, leftMs };
  }

  #hear(news: string): void {
    const blank = news.indexOf(' ');
    const window = this.#windowOf(news.slice(blank + 1));
    window.isClose = true;
    window.endsAt = performance.now() + Number(news.slice(0, blank));
    if (window.untold > window.telling) void this.#countInRedis(window);
  }

  get #windowMs(): number {
    return this.#rule.seconds * 1000;
  }

  get #redis(): Redis {
    return this.#kernel.redis.commands;
  }

  get #channel(): string {
    return `limit:${this.#name}`;
  }

  #keyOf({ key }: Window): string {
    return `${this.#kernel.namespace}:limit:${this.#name}:${key}`;
  }
}

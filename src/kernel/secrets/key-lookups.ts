/**
 * Finds the owner of the key in a request. Unknown keys are counted by client address; above a limit, keys from that
 * address are refused without a lookup. Keys that were valid recently are always looked up: their owners may share an
 * address with an attacker who guesses keys.
 */
import { RateLimiterRes } from 'rate-limiter-flexible';
import { addressGroup } from '../admission/address-group';
import { Cache } from '../cache/cache';
import { Fault } from '../fault';
import { MemoryLimiter } from '../admission/rate-limit';
import type { RateRule } from '../settings';
import { SlowRefusals } from '../admission/slow-refusals';

export interface ShownKey {
  readonly keyHash: string;
  /** The client address of the request. */
  readonly from: string;
}

const GOOD = { entries: 50_000, bytes: 24 * 1024 * 1024, ttlMs: 600_000 };

export class KeyLookups {
  readonly #failures: MemoryLimiter | null;
  readonly #good = new Cache<string, true>(GOOD);
  readonly #refusals = new SlowRefusals(0);

  constructor(rule: RateRule | null) {
    this.#failures = rule && new MemoryLimiter(rule);
  }

  /** Undefined if the key belongs to nobody. */
  async find<T>({ keyHash, from }: ShownKey, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const failures = this.#failures;
    if (failures === null) return look();
    const isGood = this.#good.get(keyHash) !== undefined;
    const address = addressGroup(from);
    // Counted before the lookup, so that a thousand concurrent guesses are counted too.
    if (!isGood) await this.#countFailure(failures, address);
    let found: T | undefined;
    let isUnknown = false;
    try {
      found = await look();
      isUnknown = found === undefined;
    } finally {
      if (!isGood && !isUnknown) await failures.reward(address);
    }
    if (!isUnknown) this.#good.set(keyHash, true);
    else if (isGood) this.#good.delete(keyHash);
    return found;
  }

  async #countFailure(failures: MemoryLimiter, address: string): Promise<void> {
    try {
      await failures.consume(address);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // A refusal is no failure: a key that turns out to be valid makes room for the next lookup.
      await failures.reward(address);
      return this.#refusals.refuse(tooManyUnknownKeys(refusal.msBeforeNext), address);
    }
  }
}

const tooManyUnknownKeys = (leftMs: number): Fault =>
  new Fault('too-many', 'Too many unknown keys were sent from this address', {
    fields: { 'retry-after': leftMs / 1000 },
    headers: { 'Retry-After': String(Math.ceil(leftMs / 1000)) },
  });

/**
 * Finds whose key it is that a request shows. Keys of nobody are counted by the address that shows them, and beyond a
 * limit refused before anybody looks for them. Keys that were found lately are always looked for: their owners may share
 * an address with somebody who guesses.
 */
import { addressGroup } from './address-group';
import { Cache } from './cache';
import { Fault } from './fault';
import type { Kernel } from './kernel';
import { perKernel } from './per-kernel';
import type { RateRule } from './settings';
import { SlowRefusals } from './slow-refusals';

export interface ShownKey {
  readonly keyHash: string;
  /** The address it was shown from. */
  readonly from: string;
}

interface Failures {
  count: number;
  readonly endsAt: number;
}

const GOOD = { entries: 50_000, bytes: 24 * 1024 * 1024, ttlMs: 600_000 };
const ADDRESSES = { entries: 50_000, bytes: 24 * 1024 * 1024 };

class KeyLookups {
  readonly #rule: RateRule | null;
  readonly #good = new Cache<string, true>(GOOD);
  readonly #failures: Cache<string, Failures>;
  readonly #refusals = new SlowRefusals(0);

  constructor(rule: RateRule | null) {
    this.#rule = rule;
    this.#failures = new Cache({ ...ADDRESSES, ttlMs: 1000 * (rule?.seconds ?? 1) });
  }

  async find<T>({ keyHash, from }: ShownKey, look: () => Promise<T | undefined>): Promise<T | undefined> {
    if (this.#rule === null) return look();
    const isGood = this.#good.get(keyHash) !== undefined;
    // Counted before it is known, so that a thousand at once are counted too.
    const failures = isGood ? undefined : await this.#count(from, this.#rule);
    let found: T | undefined;
    let isUnknown = false;
    try {
      found = await look();
      isUnknown = found === undefined;
    } finally {
      if (failures && !isUnknown) failures.count -= 1;
    }
    if (!isUnknown) this.#good.set(keyHash, true);
    else if (isGood) this.#good.delete(keyHash);
    return found;
  }

  async #count(from: string, { requests, seconds }: RateRule): Promise<Failures> {
    const address = addressGroup(from);
    const now = performance.now();
    let failures = this.#failures.get(address);
    if (!failures || failures.endsAt <= now) {
      failures = { count: 0, endsAt: now + seconds * 1000 };
      this.#failures.set(address, failures);
    }
    if (failures.count >= requests) return this.#refusals.refuse(tooManyUnknownKeys(failures.endsAt - now), address);
    failures.count += 1;
    return failures;
  }
}

const tooManyUnknownKeys = (leftMs: number): Fault =>
  new Fault('too-many', 'Too many unknown keys were sent from this address', {
    fields: { 'retry-after': leftMs / 1000 },
    headers: { 'Retry-After': String(Math.ceil(leftMs / 1000)) },
  });

const lookups = perKernel(({ settings }) => new KeyLookups(settings.unknownKeyLimit));

/** Undefined where it is nobody's. */
export const findByKey = <T>(
  kernel: Kernel,
  shown: ShownKey,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> => lookups(kernel).find(shown, look);

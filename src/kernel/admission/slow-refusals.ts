/**
 * Delays refusals by a second, those of a crowd by more: clients that are refused at once come back at once, and a crowd
 * that comes back every second leaves little time for others.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Cache } from '../cache/cache';
import { Counts } from './counts';

const REFUSE_MS = 1000;
/** So many refusals of one address that are being delayed make the next one a second later. */
const CROWD = 100;
const MAX_MS = 5000;
/** Beyond this many delayed refusals, further ones are immediate: holding them costs memory. */
const MAX_REFUSING = 10_000;
const REMEMBERED_MS = 10_000;
const ADDRESSES = { entries: 10_000, bytes: 4 * 1024 * 1024, ttlMs: REMEMBERED_MS };

export class SlowRefusals {
  readonly #atOnce: number;
  /** How often each address was refused recently. */
  readonly #refused = new Cache<string, { count: number }>(ADDRESSES);
  /** The delayed refusals of each address. */
  readonly #delayed = new Counts();

  /** `atOnce`: how many immediate refusals an address gets in ten seconds. Later ones come late. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Without the delay, a flood of refusals would leave no time for other requests. */
  async refuse(error: Error, address: string): Promise<never> {
    if (!this.#isAnsweredAtOnce(address) && this.#delayed.total < MAX_REFUSING) {
      const delay = REFUSE_MS * (1 + this.#delayed.of(address) / CROWD);
      this.#delayed.add(address, 1);
      await wait(Math.min(delay, MAX_MS));
      this.#delayed.add(address, -1);
    }
    throw error;
  }

  #isAnsweredAtOnce(address: string): boolean {
    if (this.#atOnce === 0 || this.#atOnce === Infinity) return this.#atOnce > 0;
    let refused = this.#refused.get(address);
    if (!refused) this.#refused.set(address, (refused = { count: 0 }));
    refused.count += 1;
    return refused.count <= this.#atOnce;
  }
}

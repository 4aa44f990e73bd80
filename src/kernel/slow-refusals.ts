/** Delays refusals by a second: clients that are refused at once come back at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { Cache } from './cache';

const REFUSE_MS = 1000;
/** Beyond this many delayed refusals, further ones are immediate: holding them costs memory. */
const MOST_REFUSING = 10_000;
const REMEMBERED_MS = 10_000;
const ADDRESSES = { entries: 10_000, bytes: 4 * 1024 * 1024, ttlMs: REMEMBERED_MS };

export class SlowRefusals {
  readonly #atOnce: number;
  /** How often each address was refused recently. */
  readonly #refused = new Cache<string, { count: number }>(ADDRESSES);
  #refusing = 0;

  /** `atOnce`: how many immediate refusals an address gets in ten seconds. Later ones come a second late. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Without the delay, a flood of refusals would leave no time for other requests. */
  async refuse(error: Error, address: string): Promise<never> {
    if (!this.#isAnsweredAtOnce(address) && this.#refusing < MOST_REFUSING) {
      this.#refusing += 1;
      await wait(REFUSE_MS);
      this.#refusing -= 1;
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

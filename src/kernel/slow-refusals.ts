/** Refusals that are held back for a second: a crowd that is refused at once comes again at once. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './fault';

const REFUSE_MS = 1000;
/** Beyond so many, further ones are refused at once: holding them costs memory. */
const MOST_REFUSING = 10_000;

export class SlowRefusals {
  #refusing = 0;

  /** Answering nothing but refusals would keep the process from everything else. */
  async refuse(fault: Fault): Promise<never> {
    if (this.#refusing < MOST_REFUSING) {
      this.#refusing += 1;
      await wait(REFUSE_MS);
      this.#refusing -= 1;
    }
    throw fault;
  }
}

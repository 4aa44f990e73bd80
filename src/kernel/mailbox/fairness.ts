/** Deals the turns of one worker process out among tenants: none has more than its share while others might come. */
import { Busy } from '../actor/lease';

const CROWDED_MS = 250;
const LONGEST_MS = 5000;

interface Group {
  turns: number;
  /** Addresses that came while the tenant had its share, and have to come again. */
  readonly crowded: Set<string>;
}

export class Fairness {
  readonly #share: number;
  readonly #groups = new Map<string, Group>();

  constructor(concurrency: number, share = 0.5) {
    this.#share = Math.ceil(concurrency * share);
  }

  /** Throws Busy where the tenant has its share. The more of its addresses wait, the less often each of them asks. */
  async take(group: string, address: string, turn: () => Promise<void>): Promise<void> {
    const own = this.#groups.get(group) ?? { turns: 0, crowded: new Set<string>() };
    if (own.turns >= this.#share) {
      own.crowded.add(address);
      const waitMs = Math.min(LONGEST_MS, CROWDED_MS * Math.ceil(own.crowded.size / this.#share));
      throw new Busy('others have their turn first', waitMs);
    }
    this.#groups.set(group, own);
    own.crowded.delete(address);
    own.turns += 1;
    try {
      await turn();
    } finally {
      own.turns -= 1;
      if (own.turns === 0) this.#groups.delete(group);
    }
  }
}

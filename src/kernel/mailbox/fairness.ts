/** Divides the turns of a worker process among tenants: no tenant gets more than its share. */
import { Busy } from '../jobs/busy';

const CROWDED_MS = 250;
const MAX_MS = 5000;

interface Group {
  turns: number;
  /** Addresses refused while the tenant had its full share; they come again. */
  readonly crowded: Set<string>;
}

export class Fairness {
  readonly #share: number;
  readonly #groups = new Map<string, Group>();

  constructor(concurrency: number, share = 0.5) {
    this.#share = Math.ceil(concurrency * share);
  }

  /** Throws Busy if the tenant has its full share. The more of its addresses wait, the longer each waits. */
  async take(group: string, address: string, turn: () => Promise<void>): Promise<void> {
    const own = this.#groups.get(group) ?? { turns: 0, crowded: new Set<string>() };
    if (own.turns >= this.#share) {
      own.crowded.add(address);
      const waitMs = Math.min(MAX_MS, CROWDED_MS * Math.ceil(own.crowded.size / this.#share));
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

/**
 * When a mailbox takes over what release 0.1 left in rows of its own: with each sweep, until it is known that nothing is
 * left. That is so once neither a node nor a worker of that release was heard of for a while, and then a look found
 * nothing. Where it never ran, that is a minute after the start of a worker.
 */
import type { Knex } from 'knex';
import type { Kernel } from '../kernel';
import { FormerProcesses } from './former-processes';

/** Longer than it takes until marks of a node that was killed count as left, and until a Redis that lost all knows nodes. */
const QUIET_MS = 60_000;

export class Adoption {
  readonly #adopt: (db: Knex) => Promise<number>;
  readonly #now: () => number;
  readonly #workers = new FormerProcesses('worker');
  readonly #nodes = new FormerProcesses('node');
  #quietSince: number | undefined;
  #isOver = false;

  constructor(adopt: (db: Knex) => Promise<number>, now = () => performance.now()) {
    this.#adopt = adopt;
    this.#now = now;
  }

  async look(kernel: Pick<Kernel, 'namespace' | 'redis' | 'mysql'>): Promise<void> {
    const [hasWorkers, hasNodes] = [await this.#workers.areThere(kernel), await this.#nodes.areThere(kernel)];
    if (hasWorkers || hasNodes) {
      this.#quietSince = undefined;
      this.#isOver = false;
    } else {
      this.#quietSince ??= this.#now();
    }
    // Its workers do it themselves.
    if (hasWorkers || this.#isOver) return;
    const isQuiet = this.#quietSince !== undefined && this.#now() - this.#quietSince >= QUIET_MS;
    this.#isOver = (await this.#adopt(kernel.mysql)) === 0 && isQuiet;
  }
}

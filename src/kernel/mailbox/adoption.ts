/**
 * Decides when a mailbox adopts the rows that release 0.1 left: with each sweep, until nothing is left. Nothing is left
 * once no process of 0.1 has had a heartbeat for a minute and a look found no rows. If 0.1 never ran, that is a minute
 * after the worker started. Remove with 0.3.
 */
import type { Knex } from 'knex';
import type { Kernel } from '../kernel';
import { FormerProcesses } from './former-processes';

/**
 * Longer than a killed node's read marks need to count as abandoned, and than an emptied Redis needs to know all nodes.
 */
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
    // The workers of 0.1 still do this work.
    if (hasWorkers || this.#isOver) return;
    const isQuiet = this.#quietSince !== undefined && this.#now() - this.#quietSince >= QUIET_MS;
    this.#isOver = (await this.#adopt(kernel.mysql)) === 0 && isQuiet;
  }
}

/**
 * DeliveryWriter: gathers the deliveries that come at the same time on this node and takes each gathering down with one
 * statement. While one is under way the next gathers, so a lone delivery waits for nothing and a burst shares commits.
 */
import type { Kernel } from '../../kernel/kernel';
import { isDeadlock, isUnreachable } from '../../kernel/mysql/outcome';
import { perKernel } from '../../kernel/per-kernel';
import { insert, type NewDelivery } from '../store/deliveries';

interface Waiting {
  readonly delivery: NewDelivery;
  resolve(): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 100;
/** A statement stays well below the server's limit on packets. */
const MOST_CHARACTERS = 1_000_000;
const MOST_ATTEMPTS = 3;

class DeliveryWriter {
  readonly #kernel: Kernel;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  write(delivery: NewDelivery): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ delivery, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0, this.#batchLength()));
    this.#isWriting = false;
  }

  #batchLength(): number {
    let characters = 0;
    const over = this.#waiting.findIndex(({ delivery }, index) => {
      characters += delivery.payload.length;
      return index > 0 && (index >= MOST_AT_ONCE || characters > MOST_CHARACTERS);
    });
    return over === -1 ? this.#waiting.length : over;
  }

  async #writeBatch(batch: Waiting[]): Promise<void> {
    try {
      await this.#write(batch.map(({ delivery }) => delivery));
      for (const each of batch) each.resolve();
    } catch (error) {
      // One bad row must fail only its own sender; a database that is away fails them all, at once.
      const isWorthTrying = batch.length > 1 && !isUnreachable(error);
      for (const each of batch) {
        if (isWorthTrying) await this.#writeBatch([each]);
        else each.reject(error);
      }
    }
  }

  /** Two nodes that take the same repeats down may stand in each other's way. */
  async #write(deliveries: readonly NewDelivery[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await insert(this.#kernel.mysql, deliveries);
      } catch (error) {
        if (!isDeadlock(error) || tries === MOST_ATTEMPTS) throw error;
      }
    }
  }
}

export const deliveryWriter: (kernel: Kernel) => { write(delivery: NewDelivery): Promise<void> } = perKernel(
  (kernel) => new DeliveryWriter(kernel),
);

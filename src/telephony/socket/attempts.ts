/** Failed attempts to authenticate, counted by address for all nodes; who fails too often is not listened to for a while. */
import { BoundedMap } from '../../kernel/bounded-map';
import { Fault } from '../../kernel/fault';
import { openRateLimit, type RateLimit } from '../../kernel/http/rate-limit';
import type { Kernel } from '../../kernel/kernel';
import type { RateRule } from '../../kernel/settings';
import { tooManyAttempts } from '../model/socket-faults';

const MOST_REMEMBERED = 10_000;

export class Attempts {
  readonly #limit: RateLimit;
  /** Until when an address is not listened to. */
  readonly #refused = new BoundedMap<string, number>(MOST_REMEMBERED);

  constructor(kernel: Kernel, rule: RateRule | null) {
    this.#limit = openRateLimit(kernel, 'socket-auth', rule);
  }

  /** Throws for an address that failed too often; even the right key does not help it. */
  ensureWelcome(from: string): void {
    if ((this.#refused.get(from) ?? 0) > Date.now()) throw tooManyAttempts();
  }

  async countFailure(from: string): Promise<void> {
    try {
      await this.#limit.count(from);
    } catch (error) {
      if (!(error instanceof Fault)) return;
      this.#refused.set(from, Date.now() + Number(error.fields['retry-after'] ?? 1) * 1000);
    }
  }
}

/** Counts failed socket authentications per address across all nodes, and refuses addresses that fail too often. */
import { addressGroup } from '../../kernel/admission/address-group';
import { Cache } from '../../kernel/cache/cache';
import { Fault } from '../../kernel/fault';
import { openRateLimit, type RateLimit } from '../../kernel/admission/rate-limit';
import type { Keyspace } from '../../kernel/redis/connections';
import type { RateRule } from '../../kernel/settings';
import { tooManyAttempts } from '../model/socket-faults';

const BOUNDS = { entries: 10_000, bytes: 4 * 1024 * 1024 };

export class Attempts {
  readonly #limit: RateLimit;
  /** Until when an address is refused. */
  readonly #refused = new Cache<string, number>(BOUNDS);

  constructor(kernel: Keyspace, rule: RateRule | null) {
    this.#limit = openRateLimit(kernel, 'socket-auth', rule);
  }

  /** Throws for an address that failed too often, even if its key is valid. */
  ensureWelcome(from: string): void {
    if ((this.#refused.get(addressGroup(from)) ?? 0) > Date.now()) throw tooManyAttempts();
  }

  async countFailure(from: string): Promise<void> {
    try {
      await this.#limit.count(addressGroup(from));
    } catch (error) {
      if (!(error instanceof Fault)) return;
      this.#refused.set(addressGroup(from), Date.now() + Number(error.fields['retry-after'] ?? 1) * 1000);
    }
  }
}

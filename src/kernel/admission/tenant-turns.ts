/**
 * Limits how many requests of one tenant run at once on this node while another tenant sends requests too. Without a
 * limit, a request that arrives behind a burst of another tenant waits until the process has worked through the burst.
 * A tenant alone may use the whole node.
 */
import { settledWithin } from '../deadline';
import { Fault } from '../fault';
import { Gate } from './gate';

interface TurnsRule {
  /** Running requests of one tenant. */
  readonly atOnce: number;
  /** Waiting requests of one tenant; more are refused. */
  readonly waiting: number;
  /**
   * A request that takes longer probably waits for another service, such as a PBX: it gives up its place and goes on.
   */
  readonly heldMs: number;
}

/** So many keep a node busy, and hold up a request of another tenant for a few milliseconds. */
const RULE: TurnsRule = { atOnce: 8, waiting: 500, heldMs: 50 };
const WAIT_MS = 5000;
/** For so long after its last request a tenant counts as one that asks. */
const ASKING_MS = 1000;

const RETRY = { fields: { 'retry-after': 1 }, headers: { 'Retry-After': '1' } };
const tooMany = (): Fault => new Fault('too-many', 'API usage exceeded rate limit', RETRY);

interface Route {
  readonly limited: boolean;
  readonly isExpensive: boolean;
  readonly isFrequent: boolean;
  readonly fileLimitBytes: number;
}

/** Expensive requests and uploads have gates of their own. Routes that must not be refused, or that wait, have none. */
export const takesTurns = ({ limited, isExpensive, isFrequent, fileLimitBytes }: Route): boolean =>
  limited && !isExpensive && !isFrequent && fileLimitBytes === 0;

export interface TenantRequest {
  /** Requests without a tenant take no turns. */
  readonly tenant: string | undefined;
  readonly response: { readonly destroyed: boolean };
}

export class TenantTurns {
  readonly #gate: Gate;
  readonly #heldMs: number;
  readonly #now: () => number;
  #latest = { tenant: '', at: -Infinity };
  /** The latest request of any other tenant. */
  #other = { tenant: '', at: -Infinity };

  constructor(rule: TurnsRule = RULE, now: () => number = () => performance.now()) {
    const { atOnce, waiting, heldMs } = rule;
    this.#heldMs = heldMs;
    this.#now = now;
    this.#gate = new Gate({
      atOnce: Infinity,
      callerAtOnce: atOnce,
      waiting: Infinity,
      callerWaiting: waiting,
      waitMs: WAIT_MS,
      refusal: tooMany,
    });
  }

  /** Runs the work at once if no other tenant sends requests, else when it is the tenant's turn. */
  async run({ tenant, response }: TenantRequest, work: () => Promise<void>): Promise<void> {
    if (tenant === undefined || !this.#isShared(tenant)) return work();
    let done: Promise<void> | undefined;
    const party = { caller: tenant, address: tenant, isGone: () => response.destroyed };
    await this.#gate.through(party, () => {
      done = work();
      return settledWithin(this.#heldMs, done);
    });
    return done;
  }

  /** Records a request of the tenant. Returns whether another tenant sends requests too. */
  #isShared(tenant: string): boolean {
    const at = this.#now();
    if (tenant !== this.#latest.tenant) this.#other = this.#latest;
    this.#latest = { tenant, at };
    return at - this.#other.at < ASKING_MS;
  }
}

/**
 * Bounds how many changes of one caller, and of one tenant, run at once in this process, before they take a connection
 * to MySQL. Changes of one user or one tenant often lock the same row. If another process holds that row, its waiters
 * would take all connections, and every other request of the process would be refused.
 */
import { Gate, type Party } from './gate';

/** Shares of the MySQL connections. The rest stays free for reads, and for others' changes. */
const CALLER_SHARE = 0.2;
const TENANT_SHARE = 0.6;
const WAIT_MS = 10_000;
const WAITING = 500;

interface Route {
  readonly method: string;
  readonly limited: boolean;
  readonly isExpensive: boolean;
  readonly waitsElsewhere: boolean;
}

/** Expensive requests have a gate of their own. */
export const takesChangeTurns = ({ method, limited, isExpensive, waitsElsewhere }: Route): boolean =>
  method !== 'get' && limited && !isExpensive && !waitsElsewhere;

export class ChangeTurns {
  readonly #callers: Gate;
  readonly #tenants: Gate;

  constructor(mysqlConnections: number) {
    const gate = (share: number) =>
      new Gate({
        atOnce: Infinity,
        callerAtOnce: Math.max(1, Math.floor(mysqlConnections * share)),
        waiting: Infinity,
        callerWaiting: WAITING,
        waitMs: WAIT_MS,
      });
    this.#callers = gate(CALLER_SHARE);
    this.#tenants = gate(TENANT_SHARE);
  }

  /** Runs the change when it is the turn of its caller, and then of its tenant, which is the party's address. */
  run<T>(party: Party, change: () => Promise<T>): Promise<T> {
    const ofTenant = { ...party, caller: party.address, address: party.caller };
    return this.#callers.through(party, () => this.#tenants.through(ofTenant, change));
  }
}

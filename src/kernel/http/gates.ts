/** The gates of a node, and which routes pass them. */
import { Fault } from '../fault';
import { fairRule, Gate, type GateRule } from '../admission/gate';

export interface Gates {
  /** Routes that read much from the database. */
  readonly expensive: Gate;
  readonly uploads: Gate;
  /** All other routes; the caller is the tenant. */
  readonly tenants: Gate;
}

interface Route {
  readonly method: string;
  readonly limited: boolean;
  readonly isExpensive: boolean;
  readonly isFrequent: boolean;
  readonly waitsElsewhere: boolean;
  readonly fileLimitBytes: number;
}

/** Expensive requests and uploads have gates of their own. Routes that must not be refused, or that wait, have none. */
export const takesTurns = (route: Pick<Route, 'limited' | 'isExpensive' | 'isFrequent' | 'fileLimitBytes'>): boolean =>
  route.limited && !route.isExpensive && !route.isFrequent && route.fileLimitBytes === 0;

/** Expensive requests have a gate of their own. */
export const takesChangeTurns = (
  route: Pick<Route, 'method' | 'limited' | 'isExpensive' | 'waitsElsewhere'>,
): boolean => route.method !== 'get' && route.limited && !route.isExpensive && !route.waitsElsewhere;

const RETRY = { fields: { 'retry-after': 1 }, headers: { 'Retry-After': '1' } };

/**
 * Limits how many requests of one tenant run at once on this node while another tenant sends requests too. Without a
 * limit, a request that arrives behind a burst of another tenant waits until the process has worked through the burst.
 * Eight keep a node busy, and hold up a request of another tenant for a few milliseconds. A request that takes longer
 * than `heldMs` probably waits for another service, such as a PBX.
 */
export const TENANT_RULE = {
  atOnce: Infinity,
  callerAtOnce: 8,
  waiting: Infinity,
  callerWaiting: 500,
  waitMs: 5000,
  heldMs: 50,
  sharedMs: 1000,
  refusal: () => new Fault('too-many', 'API usage exceeded rate limit', RETRY),
} satisfies GateRule;

/** Shares of the MySQL connections. The rest stays free for reads, and for others' changes. */
const CALLER_SHARE = 0.2;
const TENANT_SHARE = 0.6;

/**
 * Bounds how many changes of one caller, and of one tenant, run at once in this process, before they take a connection
 * to MySQL. Changes of one user or one tenant often lock the same row. If another process holds that row, its waiters
 * would take all connections, and every other request of the process would be refused.
 */
export function changeRule(mysqlConnections: number): GateRule {
  const placesOf = (share: number) => Math.max(1, Math.floor(mysqlConnections * share));
  return {
    atOnce: Infinity,
    callerAtOnce: placesOf(CALLER_SHARE),
    addressAtOnce: placesOf(TENANT_SHARE),
    waiting: 2000,
    callerWaiting: 500,
    crowd: 'address',
    waitMs: 10_000,
  };
}

export function openGates(mysqlConnections: number): Gates {
  const rule = fairRule(mysqlConnections);
  return {
    // A large answer holds the process up for longer than a small one, so one caller gets half of the places.
    expensive: new Gate({ ...rule, callerAtOnce: Math.max(1, Math.floor(rule.atOnce / 2)) }),
    // How many uploads are read at once. The others wait unread on their connections, which costs nothing.
    uploads: new Gate({ atOnce: 64, callerAtOnce: 4, waiting: 1000, callerWaiting: 100, waitMs: 10_000 }),
    tenants: new Gate(TENANT_RULE),
  };
}

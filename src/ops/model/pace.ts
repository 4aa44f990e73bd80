/** How fast routes answer, from the difference of two counter snapshots. */
import { REQUEST_SECONDS, type RouteTotal } from '../../kernel/metrics';

export interface RoutePace {
  readonly route: string;
  readonly requests: number;
  readonly meanMs: number;
  /** The histogram bucket of the 95th percentile; null if it is above the largest bucket. */
  readonly p95Ms: number | null;
}

export interface Pace {
  readonly requests: number;
  readonly errors: number;
  readonly routes: readonly RoutePace[];
}

export function paceBetween(before: readonly RouteTotal[], after: readonly RouteTotal[]): Pace {
  const known = new Map(before.map((total) => [total.name, total]));
  const grown = after.map((total) => subtract(total, known.get(total.name))).filter(({ requests }) => requests > 0);
  return {
    requests: grown.reduce((sum, { requests }) => sum + requests, 0),
    errors: grown.reduce((sum, { errors }) => sum + errors, 0),
    routes: grown.map(paceOf),
  };
}

function subtract(after: RouteTotal, before: RouteTotal | undefined): RouteTotal {
  if (!before) return after;
  return {
    name: after.name,
    requests: after.requests - before.requests,
    errors: after.errors - before.errors,
    seconds: after.seconds - before.seconds,
    classes: after.classes.map((count, index) => count - before.classes[index]!),
  };
}

function paceOf({ name, requests, seconds, classes }: RouteTotal): RoutePace {
  // Histogram buckets are cumulative.
  const end = REQUEST_SECONDS[classes.findIndex((count) => count >= requests * 0.95)];
  return {
    route: name,
    requests,
    meanMs: Math.round((seconds / requests) * 100_000) / 100,
    p95Ms: end === undefined ? null : end * 1000,
  };
}

/** The slowest routes, with the same route of several nodes merged. */
export function slowestOf(routes: readonly RoutePace[], most: number): RoutePace[] {
  const together = new Map<string, RoutePace>();
  for (const each of routes) {
    const known = together.get(each.route);
    together.set(each.route, known ? merge(known, each) : each);
  }
  return [...together.values()].sort((a, b) => b.meanMs - a.meanMs).slice(0, most);
}

function merge(one: RoutePace, other: RoutePace): RoutePace {
  const requests = one.requests + other.requests;
  const spent = one.meanMs * one.requests + other.meanMs * other.requests;
  const p95Ms = one.p95Ms === null || other.p95Ms === null ? null : Math.max(one.p95Ms, other.p95Ms);
  return { route: one.route, requests, meanMs: Math.round((spent / requests) * 100) / 100, p95Ms };
}

/** The heartbeat that a node publishes about itself. */
export interface NodeBeat {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly nodeVersion: string;
  readonly startedAt: string;
  readonly isDraining: boolean;
  readonly memoryBytes: number;
  /** The 99th percentile of the event loop's delay. */
  readonly lagMs: number;
  /** These count the last minutes. */
  readonly requests: number;
  readonly errors: number;
  readonly seconds: number;
  readonly slowest: readonly RoutePace[];
}

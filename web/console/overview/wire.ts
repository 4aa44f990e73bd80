/** Types of the overview API. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly about: string | null;
  readonly says: string;
  readonly advice: string | null;
}

export interface NodeLine {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly node_version: string;
  readonly started_at: string;
  readonly is_draining: boolean;
  readonly memory_bytes: number;
  readonly lag_ms: number;
  readonly requests_per_second: number;
  readonly error_rate: number;
}

export interface RoutePace {
  readonly route: string;
  readonly requests: number;
  readonly mean_ms: number;
  readonly p95_ms: number | null;
}

export interface OverviewAnswer {
  readonly findings: readonly Finding[];
  readonly nodes: readonly NodeLine[];
  readonly workers: number;
  readonly redis: {
    readonly version: string;
    readonly clients: number;
    readonly commands_per_second: number;
    readonly memory_bytes: number;
  } | null;
  readonly mysql: { readonly version: string; readonly connections: number };
  readonly outbox: { readonly rows: number; readonly oldest_ms: number | null };
  readonly slowest_routes: readonly RoutePace[];
}

export const LEVELS = [
  'requests_per_second',
  'errors_per_second',
  'events_per_second',
  'waiting',
  'oldest_ms',
  'dead',
  'lag_ms',
  'redis_clients',
  'mysql_connections',
] as const;
export type Level = (typeof LEVELS)[number];

export type Point = Readonly<Record<Level, number | null>> & { readonly at: string };

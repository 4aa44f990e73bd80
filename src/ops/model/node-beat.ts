/** The heartbeat that a node publishes about itself. */
import type { RoutePace } from './pace';

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

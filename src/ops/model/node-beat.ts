/** What a node says of itself. */
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
  /** How late its event loop was, at 99 of 100 looks. */
  readonly lagMs: number;
  /** Of the last minutes. */
  readonly requests: number;
  readonly errors: number;
  readonly seconds: number;
  readonly slowest: readonly RoutePace[];
}

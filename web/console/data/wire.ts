/** Types of the operators' API, with only the fields that the console uses. */
export type Remedy = 'retry' | 'discard' | 'replay';
export const WORK_STATES = ['waiting', 'running', 'done', 'dead', 'failed', 'discarded'] as const;
export type WorkState = (typeof WORK_STATES)[number];

export interface WorkQueue {
  readonly name: string;
  readonly about: string;
  readonly remedies: readonly Remedy[];
  readonly waiting: number;
  readonly running: number | null;
  readonly oldest_ms: number | null;
  readonly dead: number;
}

export interface Work {
  readonly work_queue: string;
  readonly id: string;
  readonly state: WorkState;
  readonly tenant: string | null;
  readonly tenant_name: string | null;
  readonly subject: string;
  readonly subject_name: string | null;
  readonly kind: string;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly attempts: number;
  readonly created_at: string;
  readonly finished_at: string | null;
}

export interface Queue {
  readonly queue: string;
  readonly is_paused: boolean;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  readonly oldest_ms: number | null;
  readonly done_per_minute: number;
  readonly failed_per_minute: number;
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null };
}

export interface Schedule {
  readonly queue: string;
  readonly name: string;
  readonly every_ms: number | null;
  readonly pattern: string | null;
  readonly next_at: string | null;
}

export interface Worker {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly started_at: string;
  readonly is_draining: boolean;
  readonly memory_bytes: number;
  readonly queues: readonly {
    readonly queue: string;
    readonly concurrency: number;
    readonly running: readonly { readonly id: string; readonly since: string; readonly payload: unknown }[];
  }[];
}

export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly operator: string;
  readonly via: string;
  readonly action: string;
  readonly target: string;
  readonly count: number | null;
}

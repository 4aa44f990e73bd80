/** How a product lets operators see its work and mend what failed: each desk is data, and knows its own rows alone. */
import type { Kernel } from '../kernel';
import type { Tx } from '../mysql/transaction';

/** `dead` waits for an operator; `failed` has ended too, but whoever wanted it was told so, and nothing is left to do. */
export const WORK_STATES = ['waiting', 'running', 'done', 'dead', 'failed', 'discarded'] as const;
export type WorkState = (typeof WORK_STATES)[number];

export interface WorkItem {
  readonly id: string;
  readonly state: WorkState;
  /** Whose it is; null where it is nobody's in particular. */
  readonly tenant: string | null;
  /** What it is for: a bot, a PBX, a queue. */
  readonly subject: string;
  /** An integration, a kind of order, a job. */
  readonly kind: string;
  /** What those outside call it; null where they have no name for it. */
  readonly reference: string | null;
  readonly reason: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface WholeItem extends WorkItem {
  /** As it was taken; null where it is not kept or sealed. Whoever shows it masks it. */
  readonly payload: unknown;
  /** Further facts, by name. */
  readonly more: Readonly<Record<string, unknown>>;
}

export interface WorkFilter {
  readonly state?: WorkState | undefined;
  readonly subject?: string | undefined;
  readonly kind?: string | undefined;
  /** Our id or theirs. */
  readonly reference?: string | undefined;
  /** A part of the reason. */
  readonly error?: string | undefined;
  /** A desk may leave it to whoever asked to pick out the tenant's. */
  readonly tenant?: string | undefined;
  /** Only what is older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export const REMEDIES = ['retry', 'discard', 'replay'] as const;
export type Remedy = (typeof REMEDIES)[number];

export interface Backlog {
  readonly waiting: number;
  /** Missing where the desk cannot tell it from what waits. */
  readonly running?: number;
  /** Of what could be done now; what waits for another attempt does not count. */
  readonly oldestMs: number | null;
  readonly dead: number;
}

export interface Desk {
  readonly name: string;
  readonly about: string;
  readonly remedies: readonly Remedy[];
  /** Newest first. */
  search(kernel: Kernel, filter: WorkFilter): Promise<WorkItem[]>;
  get(kernel: Kernel, id: string): Promise<WholeItem | undefined>;
  backlog(kernel: Kernel): Promise<Backlog>;
  /** Applies it to those whose state allows it; gives the ids of what is now to be done, or was discarded. */
  apply(kernel: Kernel, tx: Tx, remedy: Remedy, ids: readonly string[]): Promise<string[]>;
}

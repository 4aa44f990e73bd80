/** The interface of a work-queue admin: how operators see a product's work and repair what failed. */
import type { Kernel } from '../kernel';
import type { Database } from '../mysql/pool';
import { readTogether, type Compilable, type Query } from '../mysql/read-together';
import type { Tx } from '../mysql/transaction';

/** `dead` waits for an operator. `failed` has ended too, but its caller was told, and nothing is left to do. */
export const WORK_STATES = ['waiting', 'running', 'done', 'dead', 'failed', 'discarded'] as const;
export type WorkState = (typeof WORK_STATES)[number];

export interface WorkItem {
  readonly id: string;
  readonly state: WorkState;
  /** The owner; null if it has none. */
  readonly tenant: string | null;
  /** A bot, a PBX or a queue. */
  readonly subject: string;
  /** An integration, a kind of order, a job. */
  readonly kind: string;
  /** The id that outside systems use for it; null if there is none. */
  readonly reference: string | null;
  readonly reason: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface WholeItem extends WorkItem {
  /** As it was received; null if it is not stored or is encrypted. The code that displays it must mask it. */
  readonly payload: unknown;
  /** More facts, by name. */
  readonly more: Readonly<Record<string, unknown>>;
}

export interface WorkFilter {
  readonly state?: WorkState | undefined;
  readonly subject?: string | undefined;
  readonly kind?: string | undefined;
  /** Our id or the outside system's. */
  readonly reference?: string | undefined;
  /** Part of the reason. */
  readonly error?: string | undefined;
  /** A work queue may ignore this and leave the filtering to its caller. */
  readonly tenant?: string | undefined;
  /** Only items older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export const REMEDIES = ['retry', 'discard', 'replay'] as const;
export type Remedy = (typeof REMEDIES)[number];

export interface Backlog {
  readonly waiting: number;
  /** Missing if the work queue cannot tell running work from waiting work. */
  readonly running?: number;
  /** Age of the oldest item that could run now. Items that wait for a retry do not count. */
  readonly oldestMs: number | null;
  readonly dead: number;
}

export interface WorkQueueAdmin {
  readonly name: string;
  readonly about: string;
  readonly remedies: readonly Remedy[];
  /** Newest first. */
  search(kernel: Pick<Kernel, 'jobs' | 'mysql'>, filter: WorkFilter): Promise<WorkItem[]>;
  get(kernel: Pick<Kernel, 'jobs' | 'mysql'>, id: string): Promise<WholeItem | undefined>;
  /** Its backlog: a query of the columns `waiting`, `dead` and `oldest_us`, always the same; or what is not in MySQL. */
  readonly backlog: { query(db: Database): Query } | { read(kernel: Pick<Kernel, 'jobs'>): Promise<Backlog> };
  /** Applies the remedy to items whose state allows it. Returns the ids that were requeued or discarded. */
  apply(kernel: Pick<Kernel, 'jobs'>, tx: Tx, remedy: Remedy, ids: readonly string[]): Promise<string[]>;
}

interface BacklogRow {
  readonly waiting: number;
  readonly dead: number;
  readonly oldest_us: number | null;
}

const COLUMNS = 'found.waiting, found.dead, found.oldest_us';

/** Compiling these queries is the largest part of what an idle node does. */
const compiled = new WeakMap<WorkQueueAdmin['backlog'], Compilable>();

function compiledQuery(backlog: { query(db: Database): Query }, db: Database): Compilable {
  let query = compiled.get(backlog);
  if (!query) {
    const sql = backlog.query(db).toSQL();
    compiled.set(backlog, (query = { toSQL: () => sql }));
  }
  return query;
}

/** The backlogs of work queues, in their order; those in MySQL are read by one statement. */
export async function readBacklogs(
  kernel: Pick<Kernel, 'jobs' | 'mysql'>,
  admins: readonly Pick<WorkQueueAdmin, 'backlog'>[],
): Promise<Backlog[]> {
  const { mysql } = kernel;
  const queries = admins.flatMap(({ backlog }) => ('query' in backlog ? [compiledQuery(backlog, mysql)] : []));
  const rows = await readTogether<BacklogRow>(mysql, COLUMNS, queries);
  const backlogs: Backlog[] = [];
  for (const { backlog } of admins)
    backlogs.push('read' in backlog ? await backlog.read(kernel) : backlogOf(rows.shift()!));
  return backlogs;
}

function backlogOf(rows: readonly BacklogRow[] | Error): Backlog {
  if (rows instanceof Error) throw rows;
  const { waiting, dead, oldest_us: oldestUs } = rows[0]!;
  return {
    waiting: Number(waiting),
    dead: Number(dead),
    oldestMs: oldestUs === null ? null : Math.round(Number(oldestUs) / 1000),
  };
}

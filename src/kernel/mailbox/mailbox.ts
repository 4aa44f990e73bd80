/**
 * A mailbox is an actor whose messages are rows: appended in the transaction of whoever sends them, handled in order by
 * one worker at a time, and kept until they are done. A declaration says what is different from the others; how work is
 * woken, leased, counted, tried again, buried, swept and shown to operators is the same for all.
 */
import type { Knex } from 'knex';
import { defineJob, type JobDefinition } from '../jobs/job';
import type { Kernel } from '../kernel';
import type { Tx } from '../mysql/transaction';
import type { MailTable } from './table';

/** Whose mail. `group` is the tenant, as far as the table knows it. */
export interface At {
  readonly id: string;
  readonly group?: string;
}

/** One message, as it lies there. */
export interface Mail<Body> {
  readonly id: number;
  readonly at: string;
  /** How often it was tried in vain. */
  readonly attempts: number;
  readonly ageMs: number;
  readonly body: Body;
}

/** How long rows that are over are kept; 0: they are deleted at once. Missing: the product looks after that itself. */
export interface Keep {
  readonly done?: number;
  readonly dropped?: number;
  readonly failed?: number;
}

export interface MailboxOptions<Body> {
  readonly table: MailTable<Body>;
  /** Turns that one worker process takes at a time. */
  readonly concurrency: number;
  /** How much of them one tenant may have; half unless said. All is right where no turn can hang on the outside. */
  readonly tenantShare?: number;
  /** Then it is a dead letter. */
  readonly attempts: number;
  /** A failed attempt that comes so late is the last one. */
  readonly giveUpMs?: number;
  /** Before the next attempt, after so many that failed. */
  readonly pauseMs: (attempts: number) => number;
  /** An attempt may take so long at most; then it is ended, and has failed. */
  readonly attemptMs: number;
  /**
   * Whether doing it twice is harmless. If so, another worker takes over as soon as a lease is not renewed. If not, the
   * lease lasts as long as an attempt may take: nobody begins again while the first may still be at it.
   */
  readonly isRepeatable: boolean;
  /** `strict`: mail waits while the mail before it waits for another attempt. `loose`: it does not. */
  readonly order: 'strict' | 'loose';
  /** Handled together, at most so many; 1 unless said. */
  readonly batch?: number;
  /** Then another address has its turn. */
  readonly mostInATurn: number;
  readonly keep: Keep;
  /** How soon mail is found that nobody was woken for; SWEEP_AFTER_MS unless said. */
  readonly sweepMs?: number;
  /** Whether workers of the release before do the same work, as they find it: it rests while one of them runs. */
  readonly isShared?: boolean;
  /**
   * Makes mail of what nodes and workers of the release before left where they keep it. Called with each sweep once no
   * such worker runs any more.
   */
  readonly adopt?: (db: Knex) => Promise<unknown>;
}

/** What lies in the queue: an address to look at; null: look for addresses that nobody was woken for. */
export type Wake = At | null;

export interface Mailbox<Body> extends MailboxOptions<Body> {
  /** Also of its worker. */
  readonly name: string;
  /** Its queue has a name of its own: in one of the plain name lie jobs of the release before. */
  readonly job: JobDefinition<Wake, void>;
}

/** Whatever its mail is. */
export type AnyMailbox = Mailbox<unknown>;

/** The names of all queues of mailboxes begin with it. */
export const QUEUES = 'mailbox-';

export function defineMailbox<Body>(name: string, options: MailboxOptions<Body>): Mailbox<Body> {
  // Attempts are counted in the rows: they outlive Redis.
  const job = defineJob<Wake>(`${QUEUES}${name}`, { attempts: 1, backoffMs: 1000, turnOf });
  return { name, ...options, job };
}

/** Where the table does not know the tenant, addresses take turns. */
const turnOf = (wake: Wake): string | undefined => wake?.group ?? wake?.id;

/** No id of ours has other characters; BullMQ refuses ids that are plain numbers, or that have colons. */
const wakeId = ({ id }: At, suffix = ''): string => `at-${encodeURIComponent(id)}${suffix}`;

/** The job that wakes a worker for an address. */
export const wakeOf = (mailbox: AnyMailbox, at: At) => ({ job: mailbox.job, id: wakeId(at), payload: at });

/** There is mail, once this has committed. However often it is said, one turn is waiting. */
export const wakeAfter = (tx: Tx, mailbox: AnyMailbox, at: At): void => tx.wake(wakeOf(mailbox, at));

/** There is mail. Nobody waits for this: should Redis be away, the sweep finds it. */
export const wakeNow = ({ jobs }: Pick<Kernel, 'jobs'>, mailbox: AnyMailbox, at: At): void =>
  jobs.wake([wakeOf(mailbox, at)]);

/** Mail that nobody came for, and who died, or stands still, at its address. */
export interface Overdue {
  readonly at: At;
  readonly after: string | undefined;
}

/**
 * There is mail that nobody came for. A worker that died leaves its job behind, which keeps its id for a while: so the
 * sweep wakes under an id of its own, and after another death under yet another.
 */
export const wakeSwept = ({ jobs }: Pick<Kernel, 'jobs'>, mailbox: AnyMailbox, all: readonly Overdue[]): void =>
  jobs.wake(all.map(({ at, after = 'swept' }) => ({ job: mailbox.job, id: wakeId(at, `~${after}`), payload: at })));

/** A little late rather than early: a turn that comes too early finds nothing to do. */
const LATE_MS = 50;

/** There will be. Under an id of its own: one that waits must not keep new mail from being looked at. */
export const wakeLater = ({ jobs }: Pick<Kernel, 'jobs'>, mailbox: AnyMailbox, at: At, afterMs: number): void => {
  const delayMs = Math.ceil(afterMs) + LATE_MS;
  const second = Math.floor((Date.now() + delayMs) / 1000);
  jobs.wake([{ job: mailbox.job, id: wakeId(at, `~${second}`), payload: at, afterMs: delayMs }]);
};

/**
 * A mailbox is an actor whose messages are rows. They are appended in the sender's transaction, handled in order by one
 * worker at a time, and kept until they are done. A declaration states only how one mailbox differs. Waking, leases,
 * counting, retries, dead letters, sweeps and the operators' view are the same for all.
 */
import { defineJob, type JobDefinition } from '../jobs/job';
import type { Kernel } from '../kernel';
import type { Tx } from '../mysql/transaction';
import type { MailTable } from './table';

/** An address. `group` is the tenant, if the table has a column for it. */
export interface At {
  readonly id: string;
  readonly group?: string;
}

/** One stored message. */
export interface Mail<Body> {
  readonly id: number;
  readonly at: string;
  /** How many attempts failed. */
  readonly attempts: number;
  readonly ageMs: number;
  readonly body: Body;
}

/** How long finished rows are kept; 0 deletes them at once. Missing: the product deletes them itself. */
export interface Keep {
  readonly done?: number;
  readonly dropped?: number;
  readonly failed?: number;
}

export interface MailboxOptions<Body> {
  readonly table: MailTable<Body>;
  /** How many turns one worker process takes at a time. */
  readonly concurrency: number;
  /** The share of these that one tenant may have, by default half. Use 1 if no turn can hang on an outside system. */
  readonly tenantShare?: number;
  /** After this many attempts it is a dead letter. */
  readonly attempts: number;
  /** A failed attempt at mail older than this is the last one. */
  readonly giveUpMs?: number;
  /** The pause before the next attempt, by the number of failed attempts. */
  readonly pauseMs: (attempts: number) => number;
  /** The time limit of an attempt; after that it is ended and counts as failed. */
  readonly attemptMs: number;
  /**
   * Whether doing it twice is harmless. If so, another worker takes over as soon as a lease is not renewed. If not, the
   * lease lasts as long as an attempt may take, so that nobody starts again while the first may still be at work.
   */
  readonly isRepeatable: boolean;
  /** `strict`: mail waits while earlier mail waits for a retry. `loose`: it does not. */
  readonly order: 'strict' | 'loose';
  /** How many mails are handled together at most; 1 by default. */
  readonly batch?: number;
  /** After this many mails, another address gets its turn. */
  readonly maxInATurn: number;
  readonly keep: Keep;
  /** How soon mail with a lost wake is found; SWEEP_AFTER_MS by default. */
  readonly sweepMs?: number;
}

/** The payload of a wake: an address to look at, or null to sweep for lost wakes. */
export type Wake = At | null;

export interface Mailbox<Body> extends MailboxOptions<Body> {
  /** Also the name of its worker. */
  readonly name: string;
  readonly job: JobDefinition<Wake, void>;
}

/** A mailbox with any kind of body. */
export type AnyMailbox = Mailbox<unknown>;

export function defineMailbox<Body>(name: string, options: MailboxOptions<Body>): Mailbox<Body> {
  // Attempts are counted in the rows, which outlive Redis.
  const job = defineJob<Wake>(`mailbox-${name}`, { attempts: 1, backoffMs: 1000, turnOf });
  return { name, ...options, job };
}

/** If the table has no tenant, addresses take turns. */
const turnOf = (wake: Wake): string | undefined => wake?.group ?? wake?.id;

/** Our ids have no other characters. BullMQ refuses ids that are plain numbers or contain colons. */
const wakeId = ({ id }: At, suffix = ''): string => `at-${encodeURIComponent(id)}${suffix}`;

/** The job that wakes a worker for an address. */
export const wakeOf = (mailbox: AnyMailbox, at: At) => ({ job: mailbox.job, id: wakeId(at), payload: at });

/** Wakes the mailbox once the transaction has committed. However often it is called, one turn waits. */
export const wakeAfter = (tx: Tx, mailbox: AnyMailbox, at: At): void => tx.wake(wakeOf(mailbox, at));

/** Wakes the mailbox. Nobody waits for this: if Redis is unreachable, the sweep finds the mail. */
export const wakeNow = ({ jobs }: Pick<Kernel, 'jobs'>, mailbox: AnyMailbox, at: At): void =>
  jobs.wake([wakeOf(mailbox, at)]);

/** An address with mail that no worker came for, and the holder that died or hangs there. */
export interface Overdue {
  readonly at: At;
  readonly deadHolder: string | undefined;
}

/**
 * Wakes workers for overdue mail. The job of a dead worker keeps its id for a while. So the sweep wakes under an id of
 * its own, and under yet another after each further death.
 */
export const wakeSwept = ({ jobs }: Pick<Kernel, 'jobs'>, mailbox: AnyMailbox, all: readonly Overdue[]): void =>
  jobs.wake(
    all.map(({ at, deadHolder = 'swept' }) => ({ job: mailbox.job, id: wakeId(at, `~${deadHolder}`), payload: at })),
  );

/** Slightly late rather than early: a turn that comes too early finds nothing to do. */
const LATE_MS = 50;

/** Wakes the mailbox after a delay, under an id of its own: a delayed wake must not block one for new mail. */
export const wakeLater = ({ jobs }: Pick<Kernel, 'jobs'>, mailbox: AnyMailbox, at: At, afterMs: number): void => {
  const delayMs = Math.ceil(afterMs) + LATE_MS;
  const second = Math.floor((Date.now() + delayMs) / 1000);
  jobs.wake([{ job: mailbox.job, id: wakeId(at, `~${second}`), payload: at, afterMs: delayMs }]);
};

/**
 * A mailbox is an actor whose messages are rows. They are appended in the sender's transaction, handled in order by one
 * worker at a time, and kept until they are done. A declaration states only how one mailbox differs. Waking, leases,
 * counting, retries, dead letters, sweeps and the operators' view are the same for all.
 */
import type { Knex } from 'knex';
import type { Tenant } from '../actor/address';
import { newId } from '../id';
import { defineJob, type JobDefinition, type Waker } from '../jobs/job';
import type { Statement, Writes } from '../mysql/commit-statements';
import { request, type RequestParts } from './request';

export type Row = Readonly<Record<string, unknown>>;

const MAIL_STATES = ['pending', 'done', 'failed', 'dropped'] as const;
/** `failed`: a dead letter. `dropped`: an operator discarded it, or there was nothing left to do. */
export type MailState = (typeof MAIL_STATES)[number];

/**
 * The table that holds a mailbox's mail: the kernel's own, or a product's table of this shape with public rows. It has
 * an ascending `id`, `state` (see MailState), `attempts`, `created_at` and `finished_at`. It has an index on address,
 * state and id, and another on state and due time.
 */
export interface MailTable<Body, Sent = Body> {
  readonly name: string;
  /** The values that its rows share, if the table holds other rows too. */
  readonly scope?: Readonly<Record<string, string>>;
  /** The address column; `id` if every mail is an address of its own. */
  readonly address: string;
  /** The column for the tenant, if there is one: turns are divided fairly among tenants. */
  readonly tenant?: string;
  /** The tenant in that column, if it is not written out. */
  tenantOf?(value: unknown): Tenant;
  /** The column for why it was not done. */
  readonly reason: string;
  readonly maxReasonLength: number;
  /** The column for when it is due. */
  readonly dueAt: string;
  /** The latest body version that is read here, if the table has a `version` column. */
  readonly version?: number;
  read(row: Row): Body;
  /** Writes new mail. Missing if only the product's own statements do: then Sent is never. */
  insertion?(tenant: Tenant, address: string, bodies: readonly Sent[], afterMs: number): Statement;
  /** The active addresses, if some are switched off: a query of the column that the address refers to. */
  among?(db: Knex): Knex.QueryBuilder;
}

/** An address, with its tenant if the table has a column for it. */
export interface At {
  readonly id: string;
  readonly tenant?: Tenant;
}

/** One stored message. */
export interface Mail<Body> {
  readonly id: number;
  readonly at: string;
  /** How many attempts failed. */
  readonly attempts: number;
  readonly createdAt: Date;
  readonly ageMs: number;
  readonly body: Body;
}

/** How long finished rows are kept; 0 deletes them at once. Missing: the product deletes them itself. */
export interface Keep {
  readonly done?: number;
  readonly dropped?: number;
  readonly failed?: number;
}

export interface MailboxOptions<Body, Sent = Body> {
  readonly table: MailTable<Body, Sent>;
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
  /** Whether its mail comes in bursts, which then share wakes. */
  readonly isBursty?: boolean;
  readonly keep: Keep;
  /** How soon mail with a lost wake is found; SWEEP_AFTER_MS by default. */
  readonly sweepMs?: number;
}

/** The payload of a wake: an address to look at. Earlier releases had sweeps in their queues: null. */
export type Wake = At | null;

/** Instead of a body: a statement of the caller writes the mail, and a worker is only woken for it. */
export const WRITTEN = Symbol('written');
/** Instead of a body: mail that waits for a retry is due now, because what it waits for may have happened. */
export const DUE_NOW = Symbol('due now');

export interface MailboxAt<Sent> {
  /**
   * Sends mail with the transaction: in the round trip of the commit, in the given order. A worker is woken after the
   * commit. Bodies contain no secrets: operators may read them.
   */
  send(tx: Writes, ...bodies: readonly Sent[] | readonly [typeof DUE_NOW]): void;
  send(tx: Waker, written: typeof WRITTEN): void;
  /**
   * Sends mail and waits for it. Returns the handler's reply, or throws its fault. After the deadline nobody knows
   * whether the mail was handled.
   */
  request<Answer>(parts: RequestParts, body: Sent & object, deadlineMs?: number): Promise<Answer>;
}

export interface Mailbox<Body, Sent = Body> extends MailboxOptions<Body, Sent> {
  /** Also the name of its worker. */
  readonly name: string;
  readonly job: JobDefinition<Wake>;
  /**
   * Without an id, an address of its own: its mail waits for no other. Mail that is sent there is due after the given
   * time, or at once.
   */
  at(tenant: Tenant, id?: string, afterMs?: number): MailboxAt<Sent>;
}

/** A mailbox with any kind of body. */
export type AnyMailbox = Mailbox<unknown>;

export function defineMailbox<Body, Sent = Body>(
  name: string,
  options: MailboxOptions<Body, Sent>,
): Mailbox<Body, Sent> {
  // Attempts are counted in the rows, which outlive Redis.
  const job = defineJob<Wake>(`mailbox-${name}`, { turnOf });
  const { table, isBursty = false } = options;
  return {
    name,
    ...options,
    job,
    at(tenant, id = newId(), afterMs = 0) {
      const at: At = { id, ...(table.tenant === undefined ? {} : { tenant }) };
      function send(tx: Waker | Writes, ...mail: readonly (Sent | symbol)[]): void {
        if ('writeLast' in tx && mail[0] !== WRITTEN) {
          const bodies = mail as readonly Sent[];
          tx.writeLast(mail[0] === DUE_NOW ? dueNow(table, id) : table.insertion!(tenant, id, bodies, afterMs));
        }
        tx.wake({ ...wakeOf({ job }, at), isBurst: isBursty });
      }
      return {
        send,
        request: (parts, body, deadlineMs = parts.settings.jobReplyDeadlineMs) =>
          request(parts, { name, deadlineMs }, (tx, awaited) => send(tx, { ...body, ...awaited })),
      };
    },
  };
}

function dueNow({ name, scope = {}, address, dueAt }: MailTable<unknown, unknown>, id: string): Statement {
  const where = Object.entries({ ...scope, [address]: id, state: 'pending' });
  const conditions = where.map(([column]) => `${column} = ?`).join(' AND ');
  return { sql: `UPDATE ${name} SET ${dueAt} = NOW(3) WHERE ${conditions}`, bindings: where.map(([, value]) => value) };
}

/** If the table has no tenant, addresses take turns. */
const turnOf = (wake: Wake): string | undefined => wake?.tenant ?? wake?.id;

/** Our ids have no other characters. BullMQ refuses ids that are plain numbers or contain colons. */
const wakeId = ({ id }: At, suffix = ''): string => `at-${encodeURIComponent(id)}${suffix}`;

/** The job that wakes a worker for an address. However many there are, one turn waits. */
export const wakeOf = ({ job }: Pick<AnyMailbox, 'job'>, at: At) => ({ job, id: wakeId(at), payload: at });

/** An address with mail that no worker came for, and the holder that died or hangs there. */
export interface Overdue {
  readonly at: At;
  readonly deadHolder: string | undefined;
}

/**
 * Wakes workers for overdue mail. The job of a dead worker keeps its id for a while. So the sweep wakes under an id of
 * its own, and under yet another after each further death.
 */
export const wakeSwept = (jobs: Waker, { job }: AnyMailbox, all: readonly Overdue[]): void =>
  jobs.wake(...all.map(({ at, deadHolder = 'swept' }) => ({ job, id: wakeId(at, `~${deadHolder}`), payload: at })));

/** Slightly late rather than early: a turn that comes too early finds nothing to do. */
const LATE_MS = 50;

/** Wakes the mailbox after a delay, under an id of its own: a delayed wake must not block one for new mail. */
export const wakeLater = (jobs: Waker, { job }: AnyMailbox, at: At, afterMs: number): void => {
  const delayMs = Math.ceil(afterMs) + LATE_MS;
  const second = Math.floor((Date.now() + delayMs) / 1000);
  jobs.wake({ job, id: wakeId(at, `~${second}`), payload: at, afterMs: delayMs });
};

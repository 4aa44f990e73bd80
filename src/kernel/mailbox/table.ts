/** The table that holds a mailbox's mail: the kernel's own, or a product's table of this shape with public rows. */
import type { Knex } from 'knex';

export type Row = Readonly<Record<string, unknown>>;

export const MAIL_STATES = ['pending', 'done', 'failed', 'dropped'] as const;
/** `failed`: a dead letter. `dropped`: an operator discarded it, or there was nothing left to do. */
export type MailState = (typeof MAIL_STATES)[number];

/**
 * Every such table has an ascending `id`, `state` (see MailState), `attempts`, `created_at` and `finished_at`. It has
 * an index on address, state and id, and another on state and due time.
 */
export interface MailTable<Body> {
  readonly name: string;
  /** The values that its rows share, if the table holds other rows too. */
  readonly scope?: Readonly<Record<string, string>>;
  /** The address column; `id` if every mail is an address of its own. */
  readonly address: string;
  /** The tenant column, if there is one: turns are divided fairly among its values. */
  readonly group?: string;
  /** The column for why it was not done. */
  readonly reason: string;
  readonly maxReasonLength: number;
  /** The column for when it is due. */
  readonly dueAt: string;
  /** The latest body version that is read here, if the table has a `version` column. */
  readonly version?: number;
  read(row: Row): Body;
  /** The active addresses, if some are switched off: a query of the column that the address refers to. */
  among?(db: Knex): Knex.QueryBuilder;
}

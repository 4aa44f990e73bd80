/** Where the mail of a mailbox lies: any table of this shape, be it the kernel's own or a product's whose rows are public. */
import type { Knex } from 'knex';

export type Row = Readonly<Record<string, unknown>>;

export const MAIL_STATES = ['pending', 'done', 'failed', 'dropped'] as const;
/** `failed`: a dead letter. `dropped`: an operator discarded it, or there was nothing left to do. */
export type MailState = (typeof MAIL_STATES)[number];

/**
 * Every such table has an ascending `id`, `state` (see MailState), `attempts`, `created_at` and `finished_at`; an index
 * on the address with the state and the id, and one on the state with the time at which mail is due.
 */
export interface MailTable<Body> {
  readonly name: string;
  /** What its rows have in common where others lie in the same table. */
  readonly scope?: Readonly<Record<string, string>>;
  /** Column of the address; `id` where every mail is an address of its own. */
  readonly address: string;
  /** Column of the tenant, where the table has one: turns are dealt out fairly among its values. */
  readonly group?: string;
  /** Column for why it was not done. */
  readonly reason: string;
  readonly longestReason: number;
  /** Column for when it is due. */
  readonly dueAt: string;
  /** The latest form of a body that is read here, where its table has a column `version`. */
  readonly version?: number;
  read(row: Row): Body;
  /** The addresses that take part, where some are switched off: a query of the column that the address refers to. */
  among?(db: Knex): Knex.QueryBuilder;
}

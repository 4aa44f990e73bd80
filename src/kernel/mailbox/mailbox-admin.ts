/** The work-queue admin of a mailbox: how operators see and repair its rows, built from the mailbox's declaration. */
import type { Knex } from 'knex';
import { searchableId } from '../id';
import type { WorkQueueAdmin, WholeItem, WorkFilter, WorkState } from '../jobs/work-queue-admin';
import type { Database } from '../mysql/pool';
import { wakeOf, type AnyMailbox, type MailState, type Row } from './mailbox';
import { atOf, maxDueUs, rowsOf } from './rows';

/** How a row is shown to operators. */
export type Shown = Pick<WholeItem, 'tenant' | 'subject' | 'kind' | 'reference' | 'payload' | 'more'>;

export interface MailboxAdminOptions {
  readonly name: string;
  readonly about: string;
  /** One result per row; undefined for a row that can no longer be shown. */
  show(db: Knex, rows: readonly Row[]): Promise<readonly (Shown | undefined)[]> | readonly (Shown | undefined)[];
  /** The column with the kind of work, if the table has one. */
  readonly kind?: string;
  /** Only rows of a subject. */
  bySubject?(rows: Knex.QueryBuilder, subject: string): Knex.QueryBuilder;
  /** Whether an index finds these rows. */
  readonly isSubjectIndexed?: boolean;
  /** Only rows with this outside reference. Missing if mail has no name but its id. */
  byReference?(rows: Knex.QueryBuilder, reference: string): Knex.QueryBuilder;
  /** Runs in the transaction that discards the rows. */
  onDiscard?(db: Knex, rows: readonly Row[]): Promise<unknown>;
  /** More columns to clear when a row waits again. */
  readonly emptied?: readonly string[];
  /** Copies finished rows so that they run again, and returns the copies. Missing if that makes no sense. */
  replay?(db: Knex, rows: readonly Row[]): Promise<readonly Row[]>;
}

const STATES = { waiting: 'pending', done: 'done', dead: 'failed', discarded: 'dropped' } as const;
const stateOf = (state: unknown): WorkState =>
  (Object.keys(STATES) as (keyof typeof STATES)[]).find((shown) => STATES[shown] === state) ?? 'waiting';

/** No index finds part of a reason, or a subject, so at most this many of the newest rows are searched. */
const MAX_LOOKED_THROUGH = 50_000;
const part = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text);

export function mailboxAdmin(mailbox: AnyMailbox, options: MailboxAdminOptions): WorkQueueAdmin {
  const { table, giveUpMs } = mailbox;
  const { name, about } = options;

  const itemOf = (row: Row, shown: Shown): WholeItem => ({
    ...shown,
    id: String(row['id']),
    state: stateOf(row['state']),
    reason: row[table.reason] as string | null,
    attempts: Number(row['attempts']),
    createdAt: row['created_at'] as Date,
    finishedAt: row['finished_at'] as Date | null,
    more: { ...shown.more, due_at: (row[table.dueAt] as Date).toISOString() },
  });

  async function itemsOf(db: Database, rows: readonly Row[]): Promise<WholeItem[]> {
    const shown = await options.show(db, rows);
    return rows.flatMap((row, index) => (shown[index] ? [itemOf(row, shown[index])] : []));
  }

  const isPossible = ({ state, reference, kind }: WorkFilter): boolean =>
    (state === undefined || state in STATES) &&
    (reference === undefined || isNumber(reference) || options.byReference !== undefined) &&
    (kind === undefined || options.kind !== undefined || kind === mailbox.name);

  const bySubject = (rows: Knex.QueryBuilder, subject: string): Knex.QueryBuilder =>
    options.bySubject?.(rows, subject) ?? rows.where(table.address, searchableId(subject));

  function byReference(rows: Knex.QueryBuilder, reference: string): Knex.QueryBuilder {
    if (isNumber(reference)) rows.where('id', Number(reference));
    return options.byReference?.(rows, reference) ?? rows;
  }

  /** Applies the filters that an index supports. */
  function indexed(db: Knex, { state, kind, subject, reference, before }: WorkFilter): Knex.QueryBuilder {
    const rows = rowsOf(db, table).orderBy('id', 'desc').select('*');
    if (state !== undefined) rows.where({ state: STATES[state as keyof typeof STATES] });
    if (kind !== undefined && options.kind !== undefined) rows.where(options.kind, searchableId(kind));
    if (reference !== undefined) rows.where((either) => void byReference(either, reference));
    if (subject !== undefined && options.isSubjectIndexed) bySubject(rows, subject);
    return isNumber(before) ? rows.where('id', '<', Number(before)) : rows;
  }

  function search(db: Knex, filter: WorkFilter): Knex.QueryBuilder {
    const { error, limit } = filter;
    const subject = options.isSubjectIndexed ? undefined : filter.subject;
    const rows = indexed(db, filter);
    if (error === undefined && subject === undefined) return rows.limit(limit);
    const found = db.from(rows.limit(MAX_LOOKED_THROUGH).as('found')).orderBy('id', 'desc').limit(limit).select('*');
    if (error !== undefined) found.where(table.reason, 'like', part(error));
    return subject === undefined ? found : bySubject(found, subject);
  }

  const lock = async (db: Knex, ids: readonly number[], states: readonly MailState[]): Promise<Row[]> =>
    (await rowsOf(db, table).whereIn('id', ids).whereIn('state', states).orderBy('id').forUpdate()) as Row[];

  async function change(db: Knex, ids: readonly number[], states: readonly MailState[], set: object): Promise<Row[]> {
    const rows = await lock(db, ids, states);
    const changed = rows.map((row) => Number(row['id']));
    if (changed.length > 0) await rowsOf(db, table).whereIn('id', changed).update(set);
    return rows;
  }

  const discard = async (db: Knex, ids: readonly number[]): Promise<Row[]> => {
    const rows = await change(db, ids, ['failed', 'pending'], { state: 'dropped', finished_at: db.raw('NOW(3)') });
    if (rows.length > 0) await options.onDiscard?.(db, rows);
    return rows;
  };

  /** As if the mail had just arrived. */
  const retry = (db: Knex, ids: readonly number[]): Promise<Row[]> => {
    const now = db.raw('NOW(3)');
    const age = giveUpMs === undefined ? {} : { created_at: now };
    const emptied = Object.fromEntries((options.emptied ?? []).map((column) => [column, null]));
    const fresh = { state: 'pending', attempts: 0, [table.reason]: null, [table.dueAt]: now, finished_at: null };
    return change(db, ids, ['failed', 'dropped'], { ...fresh, ...emptied, ...age });
  };

  const replay = async (db: Knex, ids: readonly number[]): Promise<readonly Row[]> =>
    (await options.replay?.(db, await lock(db, ids, ['done']))) ?? [];

  const REMEDY = { discard, retry, replay };

  return {
    name,
    about,
    remedies: ['retry', 'discard', ...(options.replay ? (['replay'] as const) : [])],
    async search(kernel, filter) {
      return isPossible(filter) ? itemsOf(kernel.mysql, (await search(kernel.mysql, filter)) as Row[]) : [];
    },
    async get(kernel, id) {
      const rows = isNumber(id) ? await rowsOf(kernel.mysql, table).where('id', Number(id)) : [];
      return (await itemsOf(kernel.mysql, rows as Row[]))[0];
    },
    backlog: {
      query: (db) =>
        db.select({
          waiting: rowsOf(db, table).where('state', 'pending').count(),
          dead: rowsOf(db, table).where('state', 'failed').count(),
          oldest_us: maxDueUs(db, mailbox),
        }),
    },
    async apply(_kernel, tx, remedy, ids) {
      const numbers = ids.filter(isNumber).map(Number);
      const rows = await REMEDY[remedy](tx.db, numbers);
      // Also after a discard: the mail behind it no longer waits.
      tx.wake(...rows.map((row) => wakeOf(mailbox, atOf(table, row))));
      return rows.map((row) => String(row['id']));
    },
  };
}

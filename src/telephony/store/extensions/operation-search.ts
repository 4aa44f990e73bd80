/** Searches tel_operations across all companies, for operators. Returns states and errors, never payloads. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { OperationKind, OperationState } from '../../model/extensions/operation';

export interface FoundOperation {
  readonly number: number;
  readonly id: string;
  readonly companyId: CompanyId;
  readonly instance: string;
  readonly kind: OperationKind;
  readonly extensionNumber: number;
  readonly state: OperationState;
  readonly detail: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface WantedOperations {
  readonly states: readonly OperationState[] | undefined;
  readonly instance: string | undefined;
  readonly kind: string | undefined;
  readonly id: string | undefined;
  readonly detail: string | undefined;
  /** Only operations older than this one. */
  readonly before: string | undefined;
  readonly limit: number;
}

const COLUMNS = {
  number: 'number',
  id: 'id',
  companyId: 'company_id',
  instance: 'instance',
  kind: 'kind',
  extensionNumber: 'extension_number',
  state: 'state',
  detail: 'detail',
  attempts: 'attempts',
  createdAt: 'created_at',
  finishedAt: 'finished_at',
};

/** No index covers a substring of the detail, so only this many of the newest rows are scanned. */
const MAX_LOOKED_THROUGH = 50_000;
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

export async function search(db: Knex, wanted: WantedOperations): Promise<FoundOperation[]> {
  const { states, instance, kind, id, detail, before } = wanted;
  const rows = db('tel_operations').orderBy('number', 'desc').select(COLUMNS);
  if (states !== undefined) rows.whereIn('state', states);
  if (instance !== undefined) rows.where({ instance });
  if (kind !== undefined) rows.where({ kind });
  if (id !== undefined) rows.where({ id });
  if (before !== undefined) rows.where('number', '<', db('tel_operations').where({ id: before }).select('number'));
  if (detail === undefined) return (await rows.limit(wanted.limit)) as FoundOperation[];
  return (await db
    .from(rows.limit(MAX_LOOKED_THROUGH).as('newest'))
    .where('detail', 'like', `%${escapeLike(detail)}%`)
    .orderBy('number', 'desc')
    .limit(wanted.limit)) as FoundOperation[];
}

/** `dead`: those that could not be undone. */
export async function countOpen(db: Knex): Promise<{ waiting: number; oldestMs: number | null; dead: number }> {
  const inStates = (...states: OperationState[]) => db('tel_operations').whereIn('state', states);
  const [[row], [stuck]] = (await Promise.all([
    inStates('pending', 'running').select(
      db.raw('COUNT(*) AS open, TIMESTAMPDIFF(MICROSECOND, MIN(created_at), NOW(3)) AS age'),
    ),
    inStates('stuck').count({ dead: '*' }),
  ])) as unknown as [[{ open: number; age: number | null }], [{ dead: number }]];
  const oldestMs = row.age === null ? null : Math.round(row.age / 1000);
  return { waiting: row.open, oldestMs, dead: stuck.dead };
}

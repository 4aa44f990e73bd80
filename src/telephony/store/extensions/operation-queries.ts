/** Reads tel_operations: the last order for an extension, what is open or stuck, and what operators search for. */
import type { Knex } from 'knex';
import type { Operation, OperationState } from '../../model/extensions/operation';
import { containing } from '../reads';

const MAX_STUCK = 200;

export type LastOperation = Pick<Operation, 'objectNumber' | 'kind' | 'state' | 'detail' | 'createdAt' | 'finishedAt'>;

/** Of the table as `o`. */
const LAST: Readonly<Record<keyof LastOperation, string>> = {
  objectNumber: 'o.extension_number',
  kind: 'o.kind',
  state: 'o.state',
  detail: 'o.detail',
  createdAt: 'o.created_at',
  finishedAt: 'o.finished_at',
};

const EXTENSION = 'extension';

/** The order for the same extension that came before this one. */
export async function orderBefore(
  db: Knex,
  { instance, objectNumber, number }: Pick<Operation, 'instance' | 'objectNumber' | 'number'>,
): Promise<LastOperation | undefined> {
  return (await db('tel_operations AS o')
    .where({ instance, extension_number: objectNumber, object: EXTENSION })
    .where('o.number', '<', number)
    .orderBy('o.number', 'desc')
    .first(LAST)) as LastOperation | undefined;
}

export async function lastOf(db: Knex, instance: string, numbers: readonly number[]): Promise<LastOperation[]> {
  if (numbers.length === 0) return [];
  const last = db('tel_operations')
    .where({ instance, object: EXTENSION })
    .whereIn('extension_number', numbers)
    .groupBy('extension_number')
    .max('number as number');
  return (await db('tel_operations AS o')
    .join(last.as('last'), 'last.number', 'o.number')
    .select(LAST)) as LastOperation[];
}

/** The numbers on an instance whose last order failed. */
export async function failedNumbers(db: Knex, instance: string): Promise<number[]> {
  const last = db('tel_operations')
    .where({ instance, object: EXTENSION })
    .groupBy('extension_number')
    .max('number as number');
  return (await db('tel_operations AS o')
    .join(last.as('last'), 'last.number', 'o.number')
    .whereIn('o.state', ['failed', 'undoing', 'stuck'])
    .orderBy('o.extension_number')
    .pluck('o.extension_number')) as number[];
}

/** What the last order for this number was to change, encrypted; undefined if it was no change or has succeeded. */
export async function lastChange(db: Knex, instance: string, number: number): Promise<string | undefined> {
  const last = (await db('tel_operations')
    .where({ instance, extension_number: number, object: EXTENSION })
    .orderBy('number', 'desc')
    .first('kind', 'payload')) as { kind: string; payload: string | null } | undefined;
  return last?.kind === 'update' ? (last.payload ?? undefined) : undefined;
}

/** The numbers on an instance with unfinished orders, and whether the last of each is being undone. */
export async function unsettledNumbers(
  db: Knex,
  { instance, object }: Pick<Operation, 'instance' | 'object'>,
): Promise<Map<number, OperationState>> {
  const open = (await db('tel_operations')
    .where({ instance, object })
    .whereIn('state', ['pending', 'running', 'undoing'])
    .orderBy('number')
    .select('extension_number', 'state')) as { extension_number: number; state: OperationState }[];
  return new Map(open.map(({ extension_number: number, state }) => [number, state]));
}

export interface StuckOperation {
  readonly number: number;
  readonly detail: string;
}

/** The numbers whose last order failed and could not be undone. */
export async function stuckOn(db: Knex, instance: string): Promise<StuckOperation[]> {
  const later = db('tel_operations as later')
    .whereRaw('later.instance = o.instance AND later.extension_number = o.extension_number')
    .whereRaw('later.number > o.number AND later.object = o.object')
    .where('later.state', 'succeeded');
  return (await db('tel_operations as o')
    .where({ 'o.instance': instance, 'o.object': EXTENSION, 'o.state': 'stuck' })
    .whereNotExists(later)
    .orderBy('o.extension_number')
    .limit(MAX_STUCK)
    .select({ number: 'o.extension_number', detail: db.raw("COALESCE(o.detail, '')") })) as StuckOperation[];
}

/** Filters ids and markers to those of this instance's operations. */
export async function ownAmong(db: Knex, instance: string, writers: readonly string[]): Promise<Set<string>> {
  const [ids, marks] = (await Promise.all(
    ['id', 'mark'].map((name) => db('tel_operations').where({ instance }).whereIn(name, writers).pluck(name)),
  )) as [string[], string[]];
  return new Set([...ids, ...marks]);
}

/** A row of a search across all companies: states and errors, never payloads. */
export interface FoundOperation extends LastOperation, Pick<Operation, 'number' | 'id' | 'companyId' | 'instance'> {
  readonly attempts: number;
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

const COLUMNS: Readonly<Record<keyof FoundOperation, string>> = {
  ...LAST,
  number: 'o.number',
  id: 'o.id',
  companyId: 'o.company_id',
  instance: 'o.instance',
  attempts: 'o.attempts',
};

/** No index covers a substring of the detail, so only this many of the newest rows are scanned. */
const MAX_LOOKED_THROUGH = 50_000;

export async function search(db: Knex, wanted: WantedOperations): Promise<FoundOperation[]> {
  const { states, instance, kind, id, detail, before } = wanted;
  const rows = db('tel_operations AS o').orderBy('o.number', 'desc').select(COLUMNS);
  if (states !== undefined) rows.whereIn('state', states);
  if (instance !== undefined) rows.where({ instance });
  if (kind !== undefined) rows.where({ kind });
  if (id !== undefined) rows.where({ id });
  if (before !== undefined) rows.where('number', '<', db('tel_operations').where({ id: before }).select('number'));
  if (detail === undefined) return (await rows.limit(wanted.limit)) as FoundOperation[];
  return (await db
    .from(rows.limit(MAX_LOOKED_THROUGH).as('newest'))
    .where('detail', 'like', containing(detail))
    .orderBy('number', 'desc')
    .limit(wanted.limit)) as FoundOperation[];
}

/** `dead`: those that could not be undone. */
export function openOrders(db: Knex): Knex.QueryBuilder {
  const inStates = (...states: OperationState[]) => db('tel_operations').whereIn('state', states);
  const open = inStates('pending', 'running');
  return db.select({
    waiting: open.clone().count(),
    dead: inStates('stuck').count(),
    oldest_us: open.select(db.raw('TIMESTAMPDIFF(MICROSECOND, MIN(created_at), NOW(3))')),
  });
}

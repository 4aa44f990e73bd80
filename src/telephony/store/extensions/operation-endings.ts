/** How operations end: each change is conditional on the state before, so of two writers only one wins. */
import type { Knex } from 'knex';
import type { FaultKind } from '../../../kernel/fault';
import type { Clearing } from '../../../kernel/jobs/sweeper';
import { WHEN_ENDED } from '../../../kernel/mailbox/ending';
import { ago } from '../../../kernel/mysql/sql-parts';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { KEPT_MS, type Operation, type OperationId } from '../../model/extensions/operation';
import * as arrangements from '../arrangements/arrangements';
import { release } from './extensions';
import { lock } from './operations';

/** An operation and where its mail goes. */
export type PlacedOperation = Pick<Operation, 'id' | 'companyId' | 'instance'>;

/** Changes nothing if the operation was given up: then its effect is undone. */
export const succeed = (db: Knex, number: number, answer: string): Statement =>
  db('tel_operations')
    .where({ number, state: 'running' })
    .whereRaw(WHEN_ENDED)
    .update({ state: 'succeeded', answer, payload: null, finished_at: db.raw('NOW(3)') })
    .toSQL();

/** The same within a transaction; returns whether it was still wanted. */
export async function succeedIn(db: Knex, number: number, answer: string): Promise<boolean> {
  const changed = await db('tel_operations')
    .where({ number, state: 'running' })
    .update({ state: 'succeeded', answer, payload: null, finished_at: db.raw('NOW(3)') });
  return changed === 1;
}

export interface Failure {
  readonly kind: FaultKind;
  readonly detail: string;
  /** Something may be left on the PBX, now or later. */
  readonly undo: boolean;
}

const MAX_DETAIL_LENGTH = 500;

export async function fail(db: Knex, number: number, { kind, detail, undo }: Failure): Promise<boolean> {
  const changed = await db('tel_operations')
    .where({ number })
    .whereIn('state', ['pending', 'running'])
    .update({
      state: undo ? 'undoing' : 'failed',
      fault_kind: kind,
      detail: detail.slice(0, MAX_DETAIL_LENGTH),
      // A change of an extension can be ordered again; what a creation has left is recognised by what it was to make.
      payload: db.raw(
        "IF((kind = 'update' AND object = 'extension') OR (kind = 'create' AND object IN ('ring-group', 'number')), payload, NULL)",
      ),
      finished_at: db.raw('NOW(3)'),
    });
  return changed === 1;
}

/** Frees what a creation has reserved. */
export async function releaseReserved(
  db: Knex,
  { object, kind, objectId }: Pick<Operation, 'object' | 'kind' | 'objectId'>,
): Promise<void> {
  if (kind !== 'create') return;
  if (object === 'extension') await release(db, objectId);
  else if (object !== 'call') await arrangements.release(db, objectId);
}

/** Fails an operation whose mail an operator has discarded. */
export async function discard(db: Knex, id: OperationId): Promise<void> {
  const operation = await lock(db, id);
  if (!operation) return;
  const { number } = operation;
  const wasOpen = await fail(db, number, { kind: 'upstream', detail: 'An operator discarded the order', undo: false });
  if (wasOpen) await releaseReserved(db, operation);
  await db('tel_operations').where({ number, state: 'undoing' }).update({ state: 'failed' });
}

export const undone = (db: Knex, number: number): Statement =>
  db('tel_operations').where({ number, state: 'undoing' }).whereRaw(WHEN_ENDED).update({ state: 'failed' }).toSQL();

/** Gives up an undo. */
export async function markStuck(db: Knex, id: OperationId, attempts: number, reason: string): Promise<void> {
  const said = `it could not be undone: ${reason}`;
  const detail = db.raw('LEFT(CONCAT_WS(?, detail, ?), ?)', ['; ', said, MAX_DETAIL_LENGTH]);
  await db('tel_operations').where({ id, state: 'undoing' }).update({ state: 'stuck', attempts, detail });
}

/** Ends undos that were given up, except for numbers in which PBX and database still differ. */
export async function settleStuck(
  db: Knex,
  { instance, object }: Pick<Operation, 'instance' | 'object'>,
  different: readonly number[],
): Promise<void> {
  await db('tel_operations')
    .where({ instance, object, state: 'stuck' })
    .whereNotIn('extension_number', different)
    .update({ state: 'failed' });
}

/** Undoes stuck operations once more, or leaves them as they are. Returns those that were stuck. */
export async function changeStuck(db: Knex, ids: readonly string[], isOnceMore: boolean): Promise<PlacedOperation[]> {
  const stuck = db('tel_operations').whereIn('id', ids).where({ state: 'stuck' });
  const found = (await stuck
    .clone()
    .forUpdate()
    .select('id', 'instance', { companyId: 'company_id' })) as PlacedOperation[];
  await stuck.update({ state: isOnceMore ? 'undoing' : 'failed' });
  return found;
}

const OVER = ['succeeded', 'failed'];

/** Finished operations after the time for which clients may query them. */
export const oldOrders: Clearing = {
  table: 'tel_operations',
  key: 'number',
  old: (db) => [db('tel_operations').whereIn('state', OVER).where('finished_at', '<', ago(db, KEPT_MS))],
};

/** Rows of tel_operations. Each state change is conditional on the previous state, so of two writers only one wins. */
import type { Knex } from 'knex';
import type { FaultKind } from '../../../kernel/fault';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import type { ExtensionId } from '../../model/extensions/extension';
import type { Operation, OperationId, OperationKind, OperationState } from '../../model/extensions/operation';

export interface Row {
  number: number;
  id: OperationId;
  company_id: CompanyId;
  instance: string;
  kind: OperationKind;
  extension_id: ExtensionId;
  extension_number: number;
  payload: string | null;
  mark: string | null;
  may_discard: number;
  contact_id: ContactId;
  is_owner: number;
  address: string;
  state: OperationState;
  fault_kind: FaultKind | null;
  detail: string | null;
  answer: string | null;
  attempts: number;
  left_ms: number;
  created_at: Date;
  finished_at: Date | null;
}

export const operationOf = (row: Row): Operation => ({
  number: row.number,
  id: row.id,
  companyId: row.company_id,
  instance: row.instance,
  kind: row.kind,
  extensionId: row.extension_id,
  extensionNumber: row.extension_number,
  payload: row.payload,
  mark: row.mark,
  mayDiscard: row.may_discard === 1,
  by: {
    companyId: row.company_id,
    contactId: row.contact_id,
    isOwner: row.is_owner === 1,
    from: row.address,
  },
  state: row.state,
  faultKind: row.fault_kind,
  detail: row.detail,
  answer: row.answer,
  attempts: row.attempts,
  leftMs: row.left_ms,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
});

const MICROSECONDS = 1000;
const inMs = (db: Knex, milliseconds: number) =>
  db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(milliseconds * MICROSECONDS)]);

export interface NewOperation extends Pick<
  Operation,
  | 'id'
  | 'companyId'
  | 'instance'
  | 'kind'
  | 'extensionId'
  | 'extensionNumber'
  | 'payload'
  | 'mark'
  | 'mayDiscard'
  | 'by'
> {
  readonly idempotencyHash: string | null;
  readonly requestHash: string | null;
  readonly lastsMs: number;
  readonly sweptAfterMs: number;
}

export function insert(db: Knex, operation: NewOperation): Knex.QueryBuilder {
  return db('tel_operations').insert({
    id: operation.id,
    company_id: operation.companyId,
    instance: operation.instance,
    kind: operation.kind,
    extension_id: operation.extensionId,
    extension_number: operation.extensionNumber,
    payload: operation.payload,
    mark: operation.mark,
    may_discard: operation.mayDiscard,
    contact_id: operation.by.contactId,
    is_owner: operation.by.isOwner,
    address: operation.by.from.slice(0, 64),
    idempotency_hash: operation.idempotencyHash,
    request_hash: operation.requestHash,
    state: 'pending',
    deadline_at: inMs(db, operation.lastsMs),
    created_at: db.raw('NOW(3)'),
    // If the mail is lost, the sweep posts another after this time.
    next_try_at: inMs(db, operation.sweptAfterMs),
  });
}

/** The remaining time until the deadline. */
export const LEFT_MS = 'TIMESTAMPDIFF(MICROSECOND, NOW(3), deadline_at) / 1000 AS left_ms';

const read = (db: Knex) => db('tel_operations').select('*', db.raw(LEFT_MS));

export async function byId(db: Knex, companyId: CompanyId, id: string): Promise<Operation | undefined> {
  const row = (await read(db).where({ company_id: companyId, id }).first()) as Row | undefined;
  return row && operationOf(row);
}

export async function lock(db: Knex, id: OperationId): Promise<Operation | undefined> {
  const row = (await read(db).where({ id }).forUpdate().first()) as Row | undefined;
  return row && operationOf(row);
}

export async function byKey(
  db: Knex,
  idempotencyHash: string,
): Promise<{ operation: Operation; requestHash: string | null } | undefined> {
  const row = (await read(db).where({ idempotency_hash: idempotencyHash }).first()) as
    | (Row & { request_hash: string | null })
    | undefined;
  return row && { operation: operationOf(row), requestHash: row.request_hash };
}

/** Filters the ids to operations that have an answer. */
export async function answeredAmong(db: Knex, ids: readonly string[]): Promise<Operation[]> {
  const rows = (await read(db).whereIn('id', ids).whereNotIn('state', ['pending', 'running'])) as Row[];
  return rows.map(operationOf);
}

/** Changes nothing if the waiting request has given up; the effect must then be undone. */
export const succeed = (db: Knex, number: number, answer: string): Knex.QueryBuilder =>
  db('tel_operations')
    .where({ number, state: 'running' })
    .update({ state: 'succeeded', answer, payload: null, finished_at: db.raw('NOW(3)') });

export interface Failure {
  readonly kind: FaultKind;
  readonly detail: string;
  /** Something may be left on the PBX, now or later. */
  readonly undo: boolean;
}

export async function fail(db: Knex, number: number, { kind, detail, undo }: Failure): Promise<boolean> {
  const now = db.raw('NOW(3)');
  const changed = await db('tel_operations')
    .where({ number })
    .whereIn('state', ['pending', 'running'])
    .update({
      state: undo ? 'undoing' : 'failed',
      fault_kind: kind,
      detail: detail.slice(0, 500),
      payload: null,
      finished_at: now,
      next_try_at: now,
    });
  return changed === 1;
}

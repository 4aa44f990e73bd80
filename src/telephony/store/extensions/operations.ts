/** Rows of tel_operations: the record of each order. What is still to be done about it is mail of its PBX instance. */
import type { Knex } from 'knex';
import { WHILE_HELD } from '../../../kernel/mailbox/lease';
import type { MailTurn } from '../../../kernel/mailbox/work';
import { ago } from '../../../kernel/mysql/sql-parts';
import { send } from '../../../kernel/mysql/direct';
import type { CompanyId } from '../../model/companies/company';
import type { Operation, OperationId } from '../../model/extensions/operation';
import { INSTANCE as INSTANCE_COLUMNS, instanceOf, type InstanceRow, type StoredInstance } from '../sites/sites';
import { firstOf, selected } from '../reads';
import { extensionOf, type Row as ExtensionRow, type SealedExtension } from './extensions';

const COLUMNS = {
  number: 'number',
  id: 'id',
  companyId: 'company_id',
  instance: 'instance',
  kind: 'kind',
  object: 'object',
  objectId: 'extension_id',
  objectNumber: 'extension_number',
  payload: 'payload',
  mark: 'mark',
  mayDiscard: 'may_discard',
  contactId: 'contact_id',
  isOwner: 'is_owner',
  from: 'address',
  state: 'state',
  faultKind: 'fault_kind',
  detail: 'detail',
  answer: 'answer',
  createdAt: 'created_at',
  finishedAt: 'finished_at',
  requestHash: 'request_hash',
};

type Row = Omit<Operation, 'by' | 'mayDiscard' | 'calledAgoMs'> &
  Pick<Operation['by'], 'contactId' | 'from'> & {
    readonly mayDiscard: number;
    readonly isOwner: number;
    readonly calledAgoMs: number | null;
    readonly requestHash: string | null;
  };

const operationOf = ({ contactId, isOwner, from, ...row }: Row): Operation => ({
  ...row,
  mayDiscard: row.mayDiscard === 1,
  by: { companyId: row.companyId, contactId, isOwner: isOwner === 1, from },
  leftMs: Number(row.leftMs),
  calledAgoMs: row.calledAgoMs === null ? Infinity : Number(row.calledAgoMs),
});

export interface NewOperation extends Pick<
  Operation,
  | 'id'
  | 'companyId'
  | 'instance'
  | 'kind'
  | 'object'
  | 'objectId'
  | 'objectNumber'
  | 'payload'
  | 'mark'
  | 'mayDiscard'
  | 'by'
> {
  readonly idempotencyHash: string | null;
  readonly requestHash: string | null;
  readonly lastsMs: number;
}

export function insert(db: Knex, operation: NewOperation): Knex.QueryBuilder {
  return db('tel_operations').insert({
    id: operation.id,
    company_id: operation.companyId,
    instance: operation.instance,
    kind: operation.kind,
    object: operation.object,
    extension_id: operation.objectId,
    extension_number: operation.objectNumber,
    payload: operation.payload,
    mark: operation.mark,
    may_discard: operation.mayDiscard,
    contact_id: operation.by.contactId,
    is_owner: operation.by.isOwner,
    address: operation.by.from.slice(0, 64),
    idempotency_hash: operation.idempotencyHash,
    request_hash: operation.requestHash,
    state: 'pending',
    deadline_at: ago(db, -operation.lastsMs),
    created_at: db.raw('NOW(3)'),
  });
}

/** The remaining time until the deadline, and how long ago the PBX was told something that it may still do. */
const TIMES =
  'TIMESTAMPDIFF(MICROSECOND, NOW(3), deadline_at) / 1000 AS leftMs, ' +
  'TIMESTAMPDIFF(MICROSECOND, called_at, NOW(3)) / 1000 AS calledAgoMs';

const reading = (db: Knex) => db('tel_operations').select(COLUMNS, db.raw(TIMES));

// Plain SQL, because it runs for every order.
const OPERATION = `SELECT ${selected(COLUMNS)}, ${TIMES} FROM tel_operations WHERE id = ?`;
const INSTANCE =
  `SELECT ${selected(INSTANCE_COLUMNS)} FROM tel_instances AS i ` +
  'JOIN tel_companies AS c ON c.id = i.company_id WHERE i.uuid = ?';
const EXTENSION =
  'SELECT e.* FROM tel_extensions AS e JOIN tel_operations AS o ON o.instance = e.pbx AND o.extension_id = e.id ' +
  'WHERE o.id = ?';
/** Orders for one extension are begun in the order of their arrival. */
const BEGIN =
  'UPDATE tel_operations AS o LEFT JOIN tel_operations AS earlier ON earlier.instance = o.instance ' +
  'AND earlier.extension_number = o.extension_number AND earlier.number < o.number ' +
  "AND earlier.state IN ('pending', 'running') " +
  "SET o.state = 'running', o.attempts = ?, o.called_at = NOW(3) " +
  "WHERE o.id = ? AND o.state IN ('pending', 'running') AND o.deadline_at > NOW(3) AND earlier.number IS NULL " +
  `AND ${WHILE_HELD}`;

export interface Found {
  readonly operation: Operation | undefined;
  /** Undefined if the instance was removed. */
  readonly instance: StoredInstance | undefined;
}

export interface Begun extends Found {
  /** False if the operation was given up, its time has run out, or an earlier order for the extension is open. */
  readonly hasBegun: boolean;
  /** The operation's extension, even if it is hidden. */
  readonly extension: SealedExtension | undefined;
}

const foundIn = ([operation]: readonly Row[], [instance]: readonly InstanceRow[]): Found => ({
  operation: operation && operationOf(operation),
  instance: instance && instanceOf(instance),
});

/** Begins an operation, in one round trip; returns it as it was before. */
export async function begin(turn: MailTurn, id: OperationId, attempt: number): Promise<Begun> {
  const [operations, begun, instances, extensions] = (await turn.packet([
    { sql: OPERATION, bindings: [id] },
    { sql: BEGIN, bindings: [attempt, id] },
    { sql: INSTANCE, bindings: [turn.at] },
    { sql: EXTENSION, bindings: [id] },
  ])) as unknown as [Row[], { affectedRows: number }, InstanceRow[], ExtensionRow[]];
  const [extension] = extensions;
  return {
    ...foundIn(operations, instances),
    hasBegun: begun.affectedRows === 1,
    extension: extension && extensionOf(extension),
  };
}

export async function find(db: Knex, id: OperationId, instance: string): Promise<Found> {
  const found = (await send(db, `${OPERATION}; ${INSTANCE}`, [id, instance])) as [Row[], InstanceRow[]];
  return foundIn(...found);
}

export const byId = (db: Knex, companyId: CompanyId, id: string): Promise<Operation | undefined> =>
  firstOf(reading(db).where({ company_id: companyId, id }), operationOf);

export const lock = (db: Knex, id: OperationId): Promise<Operation | undefined> =>
  firstOf(reading(db).where({ id }).forUpdate(), operationOf);

export async function byKey(
  db: Knex,
  idempotencyHash: string,
): Promise<{ operation: Operation; requestHash: string | null } | undefined> {
  const read = (row: Row) => ({ operation: operationOf(row), requestHash: row.requestHash });
  return firstOf(reading(db).where({ idempotency_hash: idempotencyHash }), read);
}

/** Filters the ids to operations that have an answer. */
export async function answeredAmong(db: Knex, ids: readonly string[]): Promise<Operation[]> {
  const rows = (await reading(db).whereIn('id', ids).whereNotIn('state', ['pending', 'running'])) as Row[];
  return rows.map(operationOf);
}

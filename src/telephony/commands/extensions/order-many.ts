/** Creates and updates extensions in bulk: validates each row, then a worker carries the rows out. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Ordering } from '../../parts';
import { setMaxListeners } from 'node:events';
import { endingWith } from '../../../kernel/ending';
import { Fault } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { done, postponed, type Ending } from '../../../kernel/mailbox/ending';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Tx } from '../../../kernel/mysql/transaction';
import { bulkOrders as bulkMail } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { bulkObject, readRows, type BulkMode, type BulkOrder, type RowResult } from '../../model/extensions/bulk';
import { numberOf, readExtensionBody, type ExtensionBody } from '../../model/extensions/extension-draft';
import { invalid, noBulkOrder, noInstance, notYours, numberTaken } from '../../model/faults';
import type { Instance } from '../../model/sites/site';
import { getInstance } from '../../queries/sites/sites';
import * as audit from '../../store/companies/audit';
import * as bulkOrders from '../../store/extensions/bulk-orders';
import * as extensions from '../../store/extensions/extensions';
import * as sites from '../../store/sites/sites';
import { alteration, creation, mayChange, type DraftedOrder } from './order-extensions';
import { findPlaced, placeOrder, type Placed } from './place-order';

export interface ManyRequest {
  readonly uuid: string;
  readonly body: unknown;
  readonly mode: BulkMode;
}

function rowsOf(body: unknown): Record<string, unknown>[] {
  const rows = readRows(body);
  if (typeof rows === 'string') throw invalid(rows);
  return rows;
}

/** The extension number in a row, or undefined if it has no valid one. */
function numberIn(row: unknown): number | undefined {
  const body = readExtensionBody(row);
  const number = typeof body === 'string' ? undefined : numberOf(body);
  return typeof number === 'number' ? number : undefined;
}

const numbersIn = (rows: readonly unknown[]): number[] => rows.flatMap((row) => numberIn(row) ?? []);

/** The indexes of rows that repeat the number of an earlier row. Such a row is ambiguous and fails. */
function repeatedIn(rows: readonly unknown[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const repeated = new Set<number>();
  for (const [index, row] of rows.entries()) {
    const number = numberIn(row);
    if (number === undefined) continue;
    if (seen.has(number)) repeated.add(index);
    seen.add(number);
  }
  return repeated;
}

const twice = (number: number | null): string => `number ${number} stands in an earlier row too`;

/** Dry run: validates the rows and changes nothing. */
export async function tryMany(kernel: Storage, by: Caller, { uuid, body, mode }: ManyRequest): Promise<object> {
  const instance = await getInstance(kernel.mysql, by, uuid);
  const rows = rowsOf(body);
  const repeated = repeatedIn(rows);
  const results: RowResult[] = [];
  const found = await extensions.byNumbers(kernel.mysql, instance.uuid, numbersIn(rows));
  const known = new Map(found.map((extension) => [extension.number, extension]));
  for (const [index, row] of rows.entries()) {
    const draft = await draftOf(kernel, { by, instance, mode, find: (number) => known.get(number) }, row);
    const { number, action } = draft;
    const detail = repeated.has(index) ? twice(number) : (draft.mistake ?? '');
    const status = detail === '' ? 'ok' : 'failed';
    const warnings = status === 'ok' ? (draft.order?.warnings ?? []) : [];
    results.push({ row: index + 1, number, action, status, detail, warnings, extension_id: null });
  }
  const failed = results.filter(({ status }) => status === 'failed').length;
  return { dry_run: true, instance_uuid: instance.uuid, mode, total: rows.length, failed, rows: results };
}

export async function orderMany(kernel: Storage, by: Caller, { uuid, body, mode }: ManyRequest): Promise<object> {
  const { uuid: instance } = await getInstance(kernel.mysql, by, uuid);
  const rows = rowsOf(body);
  const id = newId();
  const content = kernel.secrets.encrypt(JSON.stringify(rows));
  await kernel.transaction(async (tx) => {
    await bulkOrders.insert(tx.db, { id, by, instance, mode, total: rows.length, content });
    await audit.record(tx.db, by, { action: 'bulk.create', object: id, detail: { instance, mode, rows: rows.length } });
    bulkMail.at(companyTenant(by.companyId), id).send(tx, { id });
  });
  return bulkObject((await bulkOrders.byId(kernel.mysql, id))!);
}

export async function getBulkOrder(db: Database, by: Caller, id: string): Promise<object> {
  const order = await bulkOrders.byId(db, id);
  const mayLook = order?.companyId === by.companyId && (by.isOwner || order.by.contactId === by.contactId);
  if (!order || !mayLook) throw noBulkOrder();
  return bulkObject(order);
}

/** How many rows are ordered concurrently. The PBX still processes them one after the other. */
const AT_ONCE = 10;

/** Processes the next rows, in a worker. After a crash, finished rows are recognised by their idempotency keys. */
export async function carryOutNext(context: Ordering, { signal, draining }: MailTurn, id: string): Promise<Ending> {
  const order = await bulkOrders.byId(context.mysql, id);
  if (!order || order.isFinished || order.content === null) return done();
  const instance = await sites.instanceByUuid(context.mysql, order.instance);
  const rows = JSON.parse(context.secrets.decrypt(order.content)) as Record<string, unknown>[];
  const repeated = repeatedIn(rows);
  const first = order.results.length;
  const next = rows.slice(first, first + AT_ONCE);
  const came = await endingWith([signal, draining], ({ signal: over }) => {
    // Every row in progress adds a listener.
    setMaxListeners(0, over);
    const rowAt = (row: unknown, at: number) => ({ order, instance, row, at, isTwice: repeated.has(at), signal: over });
    return Promise.all(next.map((row, index) => doRow(context, rowAt(row, first + index))));
  });
  const results = [...order.results, ...came];
  const isFinished = results.length === rows.length;
  const write = ({ db }: Tx) => bulkOrders.progress(db, id, results, isFinished);
  return isFinished ? done({ write }) : postponed(null, 0, { write });
}

interface Draft {
  readonly number: number | null;
  readonly action: 'create' | 'update' | null;
  readonly order?: DraftedOrder;
  readonly mistake?: string;
}

interface RowContext {
  readonly by: Caller;
  readonly instance: Instance;
  readonly mode: BulkMode;
  /** Finds an extension by number, including hidden ones. */
  readonly find: (number: number) => Found | Promise<Found>;
}

type Found = extensions.SealedExtension | undefined;

async function draftOf(kernel: Storage, context: RowContext, row: unknown): Promise<Draft> {
  const body = readExtensionBody(row);
  const number =
    typeof body === 'string' ? body : (numberOf(body) ?? 'data.id: the number of the extension is required');
  if (typeof body === 'string' || typeof number === 'string') {
    return { number: null, action: null, mistake: String(number) };
  }
  const found = await context.find(number);
  const before = found?.isVisible ? found : undefined;
  const usual = before ? 'update' : 'create';
  const action = context.mode === 'upsert' ? usual : context.mode;
  const wanted = { ...context, body, before };
  try {
    return { number, action, order: await (action === 'update' ? change(kernel, wanted) : addition(kernel, wanted)) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { number, action, mistake: error.message };
  }
}

type Wanted = RowContext & { body: ExtensionBody; before: Found };

function addition(kernel: Storage, { by, instance, body, before }: Wanted): Promise<DraftedOrder> {
  if (before) throw numberTaken(before.number);
  return creation(kernel, { by, instance, body });
}

async function change(kernel: Storage, { by, instance, body, before }: Wanted): Promise<DraftedOrder> {
  if (!before) throw invalid('there is no such extension');
  if (!mayChange(by, before)) throw notYours('extension');
  return alteration(kernel, { by, instance, before, body, mode: 'merge' });
}

interface RowToDo {
  readonly order: BulkOrder;
  /** Undefined if the instance was removed after the order was placed. */
  readonly instance: Instance | undefined;
  readonly row: unknown;
  readonly at: number;
  readonly isTwice: boolean;
  readonly signal: AbortSignal;
}

async function doRow(context: Ordering, { order, instance, row, at, isTwice, signal }: RowToDo): Promise<RowResult> {
  const { by, mode, id } = order;
  const key = `bulk-${id}-${at}`;
  const options = { idempotencyKey: key, fingerprint: key, isAsync: false, waitUntil: signal };
  const draft: { number: number | null; action: Draft['action'] } = { number: null, action: null };
  try {
    // The row may have been done before a crash. Its number would then look taken.
    const known = await findPlaced(context, by, options);
    if (known) return { row: at + 1, ...draftNumber(known), ...outcomeOf(known) };
    if (!instance) throw noInstance();
    const { mysql } = context;
    const find = (number: number) => extensions.byNumber(mysql, instance.uuid, number);
    const found = await draftOf(context, { by, instance, mode, find }, row);
    Object.assign(draft, { number: found.number, action: found.action });
    if (isTwice) throw invalid(twice(found.number));
    if (!found.order) throw invalid(found.mistake ?? '');
    const placed = await placeOrder(context, by, options, found.order);
    return { row: at + 1, ...draft, ...outcomeOf(placed) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { row: at + 1, ...draft, status: 'failed', detail: error.message, warnings: [], extension_id: null };
  }
}

interface Made {
  readonly _id?: string;
  readonly data?: { readonly id: number };
  readonly warnings?: readonly string[];
}

const valueOf = (placed: Placed): Made => ('value' in placed ? placed.value : {});

function outcomeOf(placed: Placed): Pick<RowResult, 'status' | 'detail' | 'warnings' | 'extension_id'> {
  const { _id: id = null, warnings = [] } = valueOf(placed);
  return { status: 'ok', detail: '', warnings, extension_id: id };
}

const draftNumber = (placed: Placed) => ({ number: valueOf(placed).data?.id ?? null, action: null });

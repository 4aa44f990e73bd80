/** Records a PBX order, wakes a worker, and waits for the result. The answer to the client is final. */
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { Telephony, Ordering } from '../../parts';
import { Busy } from '../../../kernel/jobs/busy';
import { endingWith } from '../../../kernel/ending';
import { ensure, Fault } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { commitWrites, type Statement } from '../../../kernel/mysql/commit-statements';
import { isHandled } from '../../../kernel/mailbox/turn';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import { pbxInstances } from '../../actors/mailboxes';
import { failOrder } from '../../actors/pbx-instance/undo';
import { companyTenant } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import {
  operationObject,
  type Answered,
  type Operation,
  type OperationId,
  type OperationState,
} from '../../model/extensions/operation';
import { invalid, noOperation } from '../../model/faults';
import * as operations from '../../store/extensions/operations';

type Parts = Storage & Pick<Kernel, 'jobs' | 'pause'>;

/** The client's options for an order. */
export interface OrderOptions {
  /** A repeated key returns the first order's result. */
  readonly idempotencyKey: string;
  /** Identifies the request, to detect a key that is reused for another request. */
  readonly fingerprint: string;
  readonly isAsync: boolean;
  /** Set by workers that place bulk orders: they wait for the result until this signal aborts. */
  readonly waitUntil?: AbortSignal;
}

export type Placed = { readonly value: object } | { readonly accepted: Record<string, unknown> };

export interface Order extends Pick<
  Operation,
  'instance' | 'kind' | 'object' | 'objectId' | 'objectNumber' | 'payload'
> {
  /** Only for a creation. */
  readonly mark?: string;
  /** The caller accepts that the messages of the mailbox are deleted. */
  readonly mayDiscard?: boolean;
  /** An extra statement that is written in the same packet. */
  readonly row?: { toSQL(): Statement };
  /** The fault to throw if that statement hits a duplicate key. */
  readonly duplicate?: Fault;
}

/** Nobody waits for an async order, so a worker may take this long. */
const ASYNC_LASTS_MS = 600_000;
/** Extra wait, so that the worker times out first and reports why. */
const REPLY_GRACE_MS = 1000;

/** Returns the result of the order with this idempotency key, if there is one. */
export async function findPlaced(context: Ordering, by: Caller, options: OrderOptions): Promise<Placed | undefined> {
  if (options.idempotencyKey === '') return undefined;
  const known = await operations.byKey(context.mysql, keyHash(context.secrets, by, options));
  if (!known) return undefined;
  ensure(
    known.requestHash === context.secrets.lookup(options.fingerprint),
    invalid('This Idempotency-Key was used for another request'),
  );
  return resultOf(context, known.operation, options);
}

export const placeOrder = (context: Ordering, by: Caller, options: OrderOptions, order: Order): Promise<Placed> =>
  context.ordersUnderWay.through({ caller: order.instance, address: '' }, () => place(context, by, options, order));

async function place(context: Ordering, by: Caller, options: OrderOptions, order: Order): Promise<Placed> {
  const { settings } = context;
  throwIfDraining(options);
  const id = newId() as OperationId;
  const lastsMs = options.isAsync || options.waitUntil ? ASYNC_LASTS_MS : settings.pbxOperationMs;
  try {
    const over = await writeAndWait(context, by, options, { ...order, id, lastsMs });
    if (over) return valueOf(context.secrets, over);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Two concurrent requests had the same key. The other one placed the order.
    const other = await findPlaced(context, by, options);
    if (other) return other;
    throw order.duplicate ?? error;
  }
  throwIfDraining(options);
  const operation = await operations.byId(context.mysql, by.companyId, id);
  if (options.isAsync) return { accepted: operationObject(operation!) };
  return valueOf(context.secrets, await giveUp(context, { id, companyId: by.companyId, instance: order.instance }));
}

type NewOrder = Order & { readonly id: OperationId; readonly lastsMs: number };

/** Returns the result, if it comes in time. */
function writeAndWait(
  context: Storage & Pick<Telephony, 'answers' | 'jobs' | 'pause'>,
  by: Caller,
  options: OrderOptions,
  order: NewOrder,
): Promise<Answered | undefined> {
  return endingWith(options.waitUntil ? [options.waitUntil] : [], async (off) => {
    // Subscribed before the write, because a fast worker may finish before we listen.
    const maxMs = order.lastsMs + REPLY_GRACE_MS;
    const waited = options.isAsync ? undefined : context.answers.wait(order.id, maxMs, off.signal);
    try {
      await write(context, by, options, order);
    } catch (error) {
      off.abort();
      throw error;
    }
    return waited;
  });
}

/** Writes the order, its extra row and the mail in one packet. */
async function write(kernel: Parts, by: Caller, options: OrderOptions, order: NewOrder): Promise<void> {
  const { companyId } = by;
  const { id, instance, row, mark = null, mayDiscard = false } = order;
  const hasKey = options.idempotencyKey !== '';
  const operation = operations.insert(kernel.mysql, {
    ...order,
    mark,
    mayDiscard,
    companyId,
    by,
    idempotencyHash: hasKey ? keyHash(kernel.secrets, by, options) : null,
    requestHash: hasKey ? kernel.secrets.lookup(options.fingerprint) : null,
  });
  await commitWrites(kernel, (tx) => {
    if (row) tx.writeLast(row.toSQL());
    tx.writeLast(operation.toSQL());
    pbxInstances.at(companyTenant(companyId), instance).send(tx, { kind: 'order', id });
  });
}

const keyHash = (secrets: Secrets, by: Caller, options: OrderOptions): string =>
  secrets.lookup(JSON.stringify(['idempotency', by.companyId, by.contactId, options.idempotencyKey]));

async function resultOf(context: Ordering, operation: Operation, options: OrderOptions): Promise<Placed> {
  if (options.isAsync) return { accepted: operationObject(operation) };
  // Bounded like any order that a client waits for, so that a draining node can finish.
  throwIfDraining(options);
  const maxMs = options.waitUntil ? ASYNC_LASTS_MS : context.settings.pbxOperationMs;
  const waitMs = Math.min(Math.max(operation.leftMs, 0), maxMs);
  const over = await context.answers.wait(operation.id, waitMs + REPLY_GRACE_MS, options.waitUntil);
  if (over) return valueOf(context.secrets, over);
  throwIfDraining(options);
  // The order was placed as async and still has time.
  if (operation.leftMs > waitMs + REPLY_GRACE_MS) return { accepted: operationObject(operation) };
  return valueOf(context.secrets, await giveUp(context, operation));
}

/** Stops waiting when the worker drains. The order continues, and another worker can wait for it. */
function throwIfDraining({ waitUntil }: OrderOptions): void {
  if (waitUntil?.aborted) throw new Busy('the process ends; another goes on');
}

function valueOf(secrets: Secrets, operation: Answered): Placed {
  if (operation.state !== 'succeeded') {
    throw new Fault(operation.faultKind ?? 'upstream', operation.detail ?? 'The PBX failed');
  }
  return { value: JSON.parse(secrets.decrypt(operation.answer ?? '')) as object };
}

/** Returns the operation if it finished meanwhile. Otherwise fails it, whatever a worker or the PBX still does. */
async function giveUp(kernel: Storage, order: Pick<Operation, 'id' | 'companyId' | 'instance'>): Promise<Answered> {
  // The operation rows cannot tell: the order that a worker hangs on may have been given up too.
  const hasWorker = await isHandled(kernel.mysql, pbxInstances, order.instance);
  const ended = await kernel.transaction(async (tx) => {
    const operation = await operations.lock(tx.db, order.id);
    if (!operation) return { late: 'The order is gone' };
    if (operation.finishedAt !== null) return operation;
    const { state } = operation;
    const late = whyLate(state, hasWorker);
    await failOrder(tx, operation, { kind: 'upstream', detail: late, undo: state === 'running' });
    return { late };
  });
  if ('late' in ended) throw new Fault('upstream', ended.late);
  return ended;
}

function whyLate(state: OperationState, hasWorker: boolean): string {
  if (state === 'running') {
    return hasWorker
      ? 'The PBX did not answer in time; whatever it still does is undone'
      : 'The worker that had begun the order is gone; whatever it did is undone';
  }
  return hasWorker
    ? 'The PBX is busy with earlier orders; nothing was done'
    : 'No worker took the order in time; nothing was done';
}

/** Returns an order to the user who placed it, or to the owner. */
export async function getOperation({ mysql, secrets }: Storage, by: Caller, id: string): Promise<object> {
  const operation = await operations.byId(mysql, by.companyId, id);
  const isOwn = operation?.by.contactId === by.contactId;
  if (!operation || !(isOwn || by.isOwner)) throw noOperation();
  const result = operation.answer === null ? null : (JSON.parse(secrets.decrypt(operation.answer)) as object);
  return { ...operationObject(operation), result };
}

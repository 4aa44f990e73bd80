/** Writes an order to a PBX down, has a worker carry it out, and waits for what came of it: the answer is final. */
import { Busy } from '../../../kernel/actor/lease';
import { ensure, Fault } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Kernel } from '../../../kernel/kernel';
import { wakeNow } from '../../../kernel/mailbox/mailbox';
import { posting } from '../../../kernel/mailbox/own-mail';
import { commitStatements, type Query } from '../../../kernel/mysql/commit-statements';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Replies } from '../../../kernel/replies';
import { pbxInstances } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import {
  operationObject,
  staleAfterMs,
  type Answered,
  type Operation,
  type OperationId,
  type ProvisioningSettings,
} from '../../model/extensions/operation';
import { invalid } from '../../model/faults';
import * as operations from '../../store/extensions/operations';
import { giveUp } from './give-up-order';

/** What orders are placed with. */
export interface OrderContext {
  readonly kernel: Kernel;
  readonly answers: Replies<Answered>;
  readonly settings: ProvisioningSettings;
}

/** How the client wants its order taken. */
export interface OrderOptions {
  /** The same key again is the same order again. */
  readonly idempotencyKey: string;
  /** What the order is, to tell that a key is not used for another one. */
  readonly fingerprint: string;
  readonly isAsync: boolean;
  /** Of a worker that waits on behalf of many: it waits for as long as it takes, until it is to end. */
  readonly patientUntil?: AbortSignal;
}

export type Placed = { readonly value: object } | { readonly accepted: Record<string, unknown> };

export interface Order extends Pick<Operation, 'instance' | 'kind' | 'extensionId' | 'extensionNumber' | 'payload'> {
  /** Of a creation. */
  readonly mark?: string;
  /** A further row, written with it. */
  readonly row?: Query;
  /** What a duplicate row means. */
  readonly duplicate?: Fault;
}

/** Nobody waits for it: a worker may take its time. */
const ASYNC_LASTS_MS = 600_000;
/** The worker gives up first, and says why. */
const PATIENCE_MS = 1000;
const MOST_WAITING = 500;

/** The order that was placed under this key, if one was. */
export async function findPlaced(
  context: OrderContext,
  by: Caller,
  options: OrderOptions,
): Promise<Placed | undefined> {
  if (options.idempotencyKey === '') return undefined;
  const known = await operations.byKey(context.kernel.mysql, keyHash(context, by, options));
  if (!known) return undefined;
  ensure(
    known.requestHash === context.kernel.secrets.lookup(options.fingerprint),
    invalid('This Idempotency-Key was used for another request'),
  );
  return resultOf(context, known.operation, options);
}

export async function placeOrder(
  context: OrderContext,
  by: Caller,
  options: OrderOptions,
  order: Order,
): Promise<Placed> {
  const { kernel, settings } = context;
  ensure(
    context.answers.waiting < MOST_WAITING,
    new Fault('unavailable', 'Too many orders are waiting', { headers: { 'Retry-After': '2' } }),
  );
  leaveIfOver(options);
  const id = newId() as OperationId;
  const lastsMs = options.isAsync || options.patientUntil ? ASYNC_LASTS_MS : settings.pbxOperationMs;
  // Before it is written: a fast worker must not be faster than we listen.
  const off = new AbortController();
  const calledOff = AbortSignal.any([off.signal, ...(options.patientUntil ? [options.patientUntil] : [])]);
  const waited = options.isAsync ? undefined : context.answers.wait(id, lastsMs + PATIENCE_MS, calledOff);
  try {
    await write(context, by, options, { ...order, id, lastsMs });
  } catch (error) {
    off.abort();
    if (!isDuplicate(error)) throw error;
    // Two requests with one key at once: the other one is the order.
    const other = await findPlaced(context, by, options);
    if (other) return other;
    throw order.duplicate ?? error;
  }
  const over = await waited;
  if (over) return valueOf(kernel, over);
  leaveIfOver(options);
  const operation = await operations.byId(kernel.mysql, by.companyId, id);
  if (options.isAsync) return { accepted: operationObject(operation!) };
  return valueOf(kernel, await giveUp(kernel, { id, companyId: by.companyId, instance: order.instance }));
}

/** The order, the row that goes with it and the mail that says so, in one packet. */
async function write(
  { kernel, settings }: OrderContext,
  by: Caller,
  options: OrderOptions,
  order: Order & { readonly id: OperationId; readonly lastsMs: number },
): Promise<void> {
  const { companyId } = by;
  const { instance, row, mark = null } = order;
  const hasKey = options.idempotencyKey !== '';
  const operation = operations.insert(kernel.mysql, {
    ...order,
    mark,
    companyId,
    by,
    idempotencyHash: hasKey ? keyHash({ kernel }, by, options) : null,
    requestHash: hasKey ? kernel.secrets.lookup(options.fingerprint) : null,
    sweptAfterMs: staleAfterMs(kernel.settings.leaseMs, settings),
  });
  const tenant = companyTenant(companyId);
  const mail = posting(pbxInstances, [{ tenant, address: instance, body: {} }]);
  await commitStatements(kernel, [...(row ? [row.toSQL()] : []), operation.toSQL(), mail]);
  wakeNow(kernel, pbxInstances, { id: instance, group: tenant });
}

const keyHash = ({ kernel }: Pick<OrderContext, 'kernel'>, by: Caller, options: OrderOptions): string =>
  kernel.secrets.lookup(JSON.stringify(['idempotency', by.companyId, by.contactId, options.idempotencyKey]));

async function resultOf(context: OrderContext, operation: Operation, options: OrderOptions): Promise<Placed> {
  if (options.isAsync) return { accepted: operationObject(operation) };
  // No longer than any order that somebody waits for: a node that drains has to see the end of it.
  leaveIfOver(options);
  const mostMs = options.patientUntil ? ASYNC_LASTS_MS : context.settings.pbxOperationMs;
  const waitMs = Math.min(Math.max(operation.leftMs, 0), mostMs);
  const over = await context.answers.wait(operation.id, waitMs + PATIENCE_MS, options.patientUntil);
  if (over) return valueOf(context.kernel, over);
  leaveIfOver(options);
  // It was placed to be done at leisure, and still may be.
  if (operation.leftMs > waitMs + PATIENCE_MS) return { accepted: operationObject(operation) };
  return valueOf(context.kernel, await giveUp(context.kernel, operation));
}

/** The order goes on without whoever waited for it, and another may wait for it. */
function leaveIfOver({ patientUntil }: OrderOptions): void {
  if (patientUntil?.aborted) throw new Busy('the process ends; another goes on');
}

function valueOf(kernel: Kernel, operation: Answered): Placed {
  if (operation.state !== 'succeeded') {
    throw new Fault(operation.faultKind ?? 'upstream', operation.detail ?? 'The PBX failed');
  }
  return { value: JSON.parse(kernel.secrets.decrypt(operation.answer ?? '')) as object };
}

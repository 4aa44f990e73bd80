/** Carries out an order on a PBX and records how it ended. If the outcome is unknown, it reads the PBX first. */
import { Fault } from '../../../kernel/fault';
import { done, postponed, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Answered, Operation, OperationId } from '../../model/extensions/operation';
import * as audit from '../../store/companies/audit';
import type { SealedExtension } from '../../store/extensions/extensions';
import { succeed, succeedIn, type Failure } from '../../store/extensions/operation-endings';
import { begin } from '../../store/extensions/operations';
import { PbxError } from './driver';
import { NotHeld } from './drivers';
import { planOf, type Plan } from './plans';
import { reloadOnce, wantReload } from './reload';
import { resourcesFor, type PbxParts, type TurnResources } from './turn-resources';
import { failOrder, failureOf, refusalOf } from './undo';

interface OrderResources extends TurnResources {
  /** The deadline of the order, by our clock. */
  readonly endsAt: number;
}

const leftMs = ({ endsAt }: OrderResources): number => endsAt - Date.now();

/** Until an order looks again whether the earlier one for the same extension is over. */
const EARLIER_MS = 200;

export async function carryOutOrder(
  parts: PbxParts,
  turn: MailTurn,
  { attempts }: Mail<unknown>,
  id: OperationId,
): Promise<Ending> {
  // Before the read: the remaining time counts from here.
  const readAt = Date.now();
  const { operation, instance, hasBegun, extension } = await begin(turn, id, attempts + 1);
  // The request that waited for it has given up.
  if (!operation || operation.finishedAt !== null) return done();
  if (!instance) return failed(parts, operation, { kind: 'missing', detail: 'The instance is gone', undo: false });
  if (operation.leftMs <= 0) return failed(parts, operation, lateness(operation));
  if (!hasBegun) return postponed('an earlier order for the same extension is under way', EARLIER_MS);
  const resources = { ...resourcesFor(parts, turn, instance), endsAt: readAt + operation.leftMs };
  const openForMs = operation.state === 'pending' ? await resources.breaker.openForMs() : 0;
  if (openForMs > 0) {
    const detail = `The PBX failed several times in a row and is left alone for ${Math.ceil(openForMs / 1000)} s`;
    return failed(parts, operation, { kind: 'upstream', detail, undo: false });
  }
  const came = await attemptOrder(resources, operation, extension);
  return 'plan' in came ? succeeded(parts, resources, operation, came.plan) : failed(parts, operation, came);
}

/** A running operation was begun by a worker that died. */
const lateness = ({ state }: Operation): Failure => ({
  kind: 'upstream',
  detail:
    state === 'running'
      ? 'The order was begun, but not finished in time; whatever it did is undone'
      : 'The order was not begun in time; nothing was done',
  undo: state === 'running',
});

async function attemptOrder(
  resources: OrderResources,
  operation: Operation,
  extension: SealedExtension | undefined,
): Promise<{ readonly plan: Plan } | Failure> {
  try {
    const plan = await planOf(resources, operation, extension);
    return (plan.isNothing ? undefined : await perform(resources, operation, plan)) ?? { plan };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: error.kind, detail: error.message, undo: operation.state === 'running' };
  }
}

const auditRecord = (operation: Operation, more: object = {}): audit.AuditRecord => ({
  action: `${operation.object}.${operation.kind}`,
  object: operation.objectId,
  detail: { number: operation.objectNumber, operation: operation.id, ...more },
});

/** The other writes depend on whether the order was still wanted, so its affected-row count is kept. */
const NOTE_WANTED = { sql: 'SET @wanted = ROW_COUNT()', bindings: [] };
const WHEN_WANTED = '@wanted = 1';

function succeeded({ answers }: PbxParts, resources: TurnResources, operation: Operation, plan: Plan): Ending {
  const { mysql, secrets } = resources.turn.kernel;
  const { id, number } = operation;
  const answer = secrets.encrypt(JSON.stringify(plan.answer()));
  const { effect } = plan;
  if ('commit' in effect) {
    return done({
      async write(tx) {
        if (!(await succeedIn(tx.db, number, answer))) return;
        await effect.commit(tx);
        await audit.record(tx.db, operation.by, auditRecord(operation));
      },
      async after() {
        await answers.publish([{ id }]);
        if (!plan.isNothing) await resources.breaker.note(undefined);
      },
    });
  }
  return done({
    statements: [
      succeed(mysql, number, answer),
      NOTE_WANTED,
      effect.write(mysql).whereRaw(WHEN_WANTED).toSQL(),
      audit.recordIf(WHEN_WANTED, operation.by, auditRecord(operation, { changes: plan.changes })),
    ],
    async after([came]) {
      // If the order had been given up, the mail that undoes it was sent with that.
      const isWanted = came !== undefined && 'affectedRows' in came && came.affectedRows === 1;
      const result: Answered = { id, state: 'succeeded', answer, faultKind: null, detail: null };
      await answers.publish([isWanted ? result : { id }]);
      if (!plan.isNothing) await resources.breaker.note(undefined);
    },
  });
}

/** Waiting requests read the row: the operation may have failed earlier with another message. */
const failed = ({ answers }: PbxParts, operation: Operation, failure: Failure): Ending =>
  done({
    async write(tx) {
      if (!(await failOrder(tx, operation, failure))) return;
      await audit.record(tx.db, operation.by, auditRecord(operation, { failed: failure.detail }));
    },
    after: () => answers.publish([{ id: operation.id }]),
  });

/** After the last attempt, so that the orders behind it can proceed. */
export const giveUpOrder = (parts: PbxParts, operation: Operation): Ending =>
  failed(parts, operation, {
    kind: 'upstream',
    detail: 'The order cannot be carried out',
    undo: operation.state === 'running',
  });

const MAX_TRIES = 2;

/** Returns undefined once the operation has taken effect. */
export async function perform(
  resources: OrderResources,
  operation: Operation,
  plan: Plan,
): Promise<Failure | undefined> {
  const over = operation.state === 'running' ? await resume(resources, operation, plan) : undefined;
  if (over) return over === 'applied' ? undefined : over;
  for (let tries = 1; ; tries += 1) {
    const error = await attempt(resources, operation, plan);
    if (!error) return undefined;
    const refusal = refusalOf(error);
    if (refusal !== undefined) return { ...refusal, undo: tries > 1 || operation.state === 'running' };
    const left = await whatIsLeft(resources, operation, plan, error);
    if (left === 'applied') return undefined;
    if (left !== 'absent' || plan.isOnce || !mayRepeat(resources, tries))
      return failureOf(operation, error.message, left !== 'nothing');
  }
}

const mayRepeat = (resources: OrderResources, tries: number): boolean =>
  tries < MAX_TRIES && leftMs(resources) >= resources.settings.pbxCallMs / 2;

/** An earlier worker began it and died, perhaps after the PBX had done it. Undefined: it is to be done. */
async function resume(
  resources: OrderResources,
  operation: Operation,
  plan: Plan,
): Promise<'applied' | Failure | undefined> {
  const seen = await look(resources, operation, plan);
  if (seen === 'applied') await wantReload(resources);
  if (seen === 'applied' || (seen === 'absent' && !plan.isOnce)) return seen === 'applied' ? seen : undefined;
  return failureOf(operation, 'The PBX cannot be asked how far an interrupted order went', true);
}

/** Classifies the state after a failed call. `absent`: not there yet, but a silent PBX may still do it. */
async function whatIsLeft(
  resources: OrderResources,
  operation: Operation,
  plan: Plan,
  { trouble }: PbxError,
): Promise<'applied' | 'absent' | 'unknown' | 'nothing'> {
  if (trouble === 'refused' || trouble === 'away') return 'nothing';
  const seen = await look(resources, operation, plan);
  return seen === 'absent' && trouble === 'error' ? 'nothing' : seen;
}

async function attempt(resources: OrderResources, operation: Operation, plan: Plan): Promise<PbxError | undefined> {
  // A worker that was frozen since it began the order must not write over what a newer one has written.
  await resources.turn.ensureLease();
  const deadlineMs = Math.min(resources.settings.pbxCallMs, Math.max(leftMs(resources), 1));
  try {
    const { id: key, mayDiscard } = operation;
    await plan.call({ key, deadlineMs, mayDiscard, willChange: reloadOnce(resources) });
    await plan.confirm({ key: operation.id, deadlineMs: resources.settings.pbxCallMs / 2 });
    return undefined;
  } catch (error) {
    await resources.breaker.note(error);
    if (error instanceof NotHeld) {
      const { turn, instance } = resources;
      const about = { instance: instance.uuid, operation: operation.id, fields: error.fields };
      turn.kernel.log.warn(about, 'a PBX accepted an order but did not apply it');
    }
    if (error instanceof PbxError) return error;
    throw error;
  }
}

async function look(
  resources: OrderResources,
  operation: Operation,
  plan: Plan,
): Promise<'applied' | 'absent' | 'unknown'> {
  try {
    const context = { key: operation.id, deadlineMs: resources.settings.pbxCallMs / 2 };
    const isApplied = await plan.isApplied(context);
    await resources.breaker.note(undefined);
    return isApplied ? 'applied' : 'absent';
  } catch (error) {
    // Not counted by the breaker: the call before was, and a failed order counts once.
    if (error instanceof PbxError) return 'unknown';
    throw error;
  }
}

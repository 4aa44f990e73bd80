/** PbxInstance: one order at a time per PBX, in order of arrival, on whichever worker holds the lease. */
import { redisKey, type Address } from '../../../kernel/actor/address';
import { Superseded } from '../../../kernel/actor/fence';
import { Busy } from '../../../kernel/actor/lease';
import { takeLeased, type TurnContext } from '../../../kernel/actor/leased-turn';
import { Fault } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { CommitUnknown, isDeadlock, isUnreachable } from '../../../kernel/mysql/outcome';
import type { ProvisionOrder } from '../../jobs';
import { companyTenant } from '../../model/company';
import type { Answered, Operation, ProvisioningSettings } from '../../model/operation';
import { isOpen } from '../../store/open-operations';
import * as operations from '../../store/operations';
import * as sites from '../../store/sites';
import { breakerOf } from '../breaker';
import { leftMs, type Bench } from './bench';
import { isPbxTrouble } from './driver';
import { driverOf } from './drivers';
import { finishDone, finishFailed, finishLate, tell } from './finish';
import { perform } from './perform';
import { planOf } from './plans';
import { lookAfterReload } from './reload';
import { undo } from './undo';

/** An operation that fails for reasons of our own is given up after so many tries: others wait behind it. */
const MOST_ATTEMPTS = 3;
/** Longer than any turn. */
const MARK_MS = 600_000;
/** The holder does it anyway; this is in case it dies. */
const LOOK_AGAIN_MS = 3000;

export const pbxAddress = ({ companyId, instance }: Pick<ProvisionOrder, 'companyId' | 'instance'>): Address => ({
  tenant: companyTenant(companyId),
  kind: 'pbx',
  id: instance,
});

/**
 * Carries out what is due on the instance, in order, the given operation included. Whoever finds the lease taken leaves
 * a mark, and the holder looks once more: nobody waits for a timer, and a crowd of orders costs no polling.
 */
export async function settle(
  kernel: Kernel,
  settings: ProvisioningSettings,
  order: ProvisionOrder,
  draining: AbortSignal,
): Promise<void> {
  const mark = `${redisKey(kernel.namespace, pbxAddress(order))}:more`;
  const take = () => takeTurn(kernel, settings, order, draining);
  try {
    await take().catch(async (error: unknown) => {
      if (!(error instanceof Busy)) throw error;
      await kernel.redis.commands.set(mark, '1', 'PX', MARK_MS);
      // The holder may have looked just before the mark was there.
      await take();
    });
    while ((await kernel.redis.commands.getdel(mark)) !== null) await take();
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    if (await isOpen(kernel.mysql, order.upTo)) throw new Busy(error.message, LOOK_AGAIN_MS);
  }
}

/** One pass over what is due. Throws Busy when another worker is at it. */
async function takeTurn(
  kernel: Kernel,
  settings: ProvisioningSettings,
  order: ProvisionOrder,
  draining: AbortSignal,
): Promise<void> {
  // Whoever waits for the last one may ask for more at once; by then the lease is to be free.
  const last: Answered[] = [];
  try {
    await takeLeased(kernel, pbxAddress(order), draining, async (turn) => {
      const [bench, due] = await Promise.all([
        openBench(turn, settings, order.instance),
        operations.due(kernel.mysql, order.instance),
      ]);
      if (!bench) return;
      for (const operation of due) {
        if (turn.signal.aborted) throw new Busy('the lease is lost, or the process ends');
        const came = await settleOne(bench, operation);
        await tell(kernel, last.splice(0));
        last.push(came ?? operation);
      }
      await lookAfterReload(bench);
    });
  } finally {
    await tell(kernel, last);
  }
}

export async function openBench(
  turn: TurnContext,
  settings: ProvisioningSettings,
  uuid: string,
): Promise<Bench | undefined> {
  const { kernel } = turn;
  // A little early rather than late: their time runs from when they are read.
  const readAt = Date.now();
  const breaker = breakerOf(kernel, turn.address, { ...settings, isTrouble: isPbxTrouble });
  const [instance] = await Promise.all([sites.instanceByUuid(kernel.mysql, uuid), breaker.openForMs()]);
  if (!instance) return undefined;
  return { turn, settings, instance, driver: driverOf(kernel, instance), breaker, readAt };
}

async function settleOne(bench: Bench, operation: Operation): Promise<Answered | undefined> {
  try {
    if (operation.state !== 'undoing') return await carryOut(bench, operation);
    await undo(bench, operation);
    return undefined;
  } catch (error) {
    if (isOurTrouble(error) || operation.attempts + 1 < MOST_ATTEMPTS) throw error;
    bench.turn.kernel.log.error({ error, operation: operation.id }, 'gave an operation up');
    const undoing = operation.state !== 'pending';
    await finishFailed(bench, operation, {
      kind: 'upstream',
      detail: 'The order cannot be carried out',
      undo: undoing,
    });
    throw error;
  }
}

/** Trouble that says nothing about the operation: the same one succeeds later. */
const isOurTrouble = (error: unknown): boolean =>
  error instanceof Superseded ||
  error instanceof Busy ||
  error instanceof CommitUnknown ||
  isDeadlock(error) ||
  isUnreachable(error);

async function carryOut(bench: Bench, operation: Operation): Promise<Answered | undefined> {
  const { mysql } = bench.turn.kernel;
  const openForMs = operation.state === 'pending' ? await bench.breaker.openForMs() : 0;
  if (openForMs > 0) {
    const detail = `The PBX failed several times in a row and is left alone for ${Math.ceil(openForMs / 1000)} s`;
    return finishFailed(bench, operation, { kind: 'upstream', detail, undo: false });
  }
  if (leftMs(bench, operation) <= 0) return finishLate(bench, operation);
  // Planned at the same time: nothing comes of a plan whose order does not begin.
  const [hasBegun, planned] = await Promise.all([
    operations.begin(mysql, operation.number),
    planOf(bench, operation).then(
      (plan) => ({ plan }),
      (error: unknown) => ({ error }),
    ),
  ]);
  if (!hasBegun) return finishLate(bench, operation);
  let failure: operations.Failure | undefined;
  try {
    if ('error' in planned) throw planned.error;
    failure = await perform(bench, operation, planned.plan);
    if (!failure) return await finishDone(bench, operation, planned.plan);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    failure = { kind: error.kind, detail: error.message, undo: operation.state === 'running' };
  }
  return finishFailed(bench, operation, failure);
}

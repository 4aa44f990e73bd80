/** PbxInstance: one order at a time per PBX, in order of arrival, on whichever worker holds the lease. */
import { redisKey, type Address } from '../../../kernel/actor/address';
import { Superseded } from '../../../kernel/actor/fence';
import { Busy } from '../../../kernel/actor/lease';
import { takeLeased, type TurnContext } from '../../../kernel/actor/leased-turn';
import { Fault } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { CommitUnknown, isDeadlock, isUnreachable } from '../../../kernel/mysql/outcome';
import { channelName } from '../../../kernel/redis/channel';
import type { ProvisionOrder } from '../../jobs';
import { companyTenant } from '../../model/company';
import { OPERATIONS_CHANNEL, type Operation, type ProvisioningSettings } from '../../model/operation';
import * as audit from '../../store/audit';
import * as extensions from '../../store/extensions';
import { isOpen } from '../../store/open-operations';
import * as operations from '../../store/operations';
import * as sites from '../../store/sites';
import { leftMs, type Bench } from './bench';
import { breakerOf } from './breaker';
import { driverOf } from './drivers';
import { perform } from './perform';
import { planOf, type Plan } from './plans';
import { lookAfterReload, wantReload } from './reload';
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
  const last: Operation[] = [];
  try {
    await takeLeased(kernel, pbxAddress(order), draining, async (turn) => {
      const bench = await openBench(turn, settings, order.instance);
      if (!bench) return;
      for (const operation of await operations.due(kernel.mysql, order.instance)) {
        if (turn.signal.aborted) throw new Busy('the lease is lost, or the process ends');
        await settleOne(bench, operation);
        await tell(kernel, last.splice(0));
        last.push(operation);
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
  const instance = await sites.instanceByUuid(kernel.mysql, uuid);
  if (!instance) return undefined;
  const breaker = breakerOf(kernel, turn.address, settings);
  return { turn, settings, instance, driver: driverOf(kernel, instance), breaker, readAt };
}

/** Only a nudge: whoever misses it looks at the row. */
async function tell(kernel: Kernel, settled: readonly Operation[]): Promise<void> {
  const channel = channelName(kernel.namespace, OPERATIONS_CHANNEL);
  for (const { id } of settled) await kernel.redis.commands.publish(channel, id).catch(() => {});
}

async function settleOne(bench: Bench, operation: Operation): Promise<void> {
  try {
    if (operation.state === 'undoing') await undo(bench, operation);
    else await carryOut(bench, operation);
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

async function carryOut(bench: Bench, operation: Operation): Promise<void> {
  const { mysql } = bench.turn.kernel;
  const openForMs = operation.state === 'pending' ? await bench.breaker.openForMs() : 0;
  if (openForMs > 0) {
    const detail = `The PBX failed several times in a row and is left alone for ${Math.ceil(openForMs / 1000)} s`;
    return finishFailed(bench, operation, { kind: 'upstream', detail, undo: false });
  }
  if (leftMs(bench, operation) <= 0 || !(await operations.begin(mysql, operation.number))) {
    const detail = 'The order was not begun in time';
    return finishFailed(bench, operation, { kind: 'upstream', detail, undo: operation.state === 'running' });
  }
  let failure: operations.Failure | undefined;
  try {
    const plan = await planOf(bench, operation);
    failure = await perform(bench, operation, plan);
    if (!failure) {
      return await finishDone(bench, operation, plan);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    failure = { kind: error.kind, detail: error.message, undo: operation.state === 'running' };
  }
  await finishFailed(bench, operation, failure);
}

const deed = (operation: Operation, more: object = {}): audit.Deed => ({
  action: `extension.${operation.kind}`,
  object: operation.extensionId,
  detail: { number: operation.extensionNumber, operation: operation.id, ...more },
});

async function finishDone(bench: Bench, operation: Operation, plan: Plan): Promise<void> {
  const answer = bench.turn.kernel.secrets.encrypt(JSON.stringify(plan.answer));
  const isWanted = await bench.turn.commit(async ({ db }) => {
    if (!(await operations.succeed(db, operation.number, answer))) return false;
    await plan.write(db);
    await wantReload(bench, db);
    await audit.record(db, operation.by, deed(operation));
    return true;
  });
  // Whoever waited was told that it failed: so it shall have.
  if (!isWanted) await undo(bench, operation);
}

async function finishFailed(bench: Bench, operation: Operation, failure: operations.Failure): Promise<void> {
  await bench.turn.commit(async ({ db }) => {
    if (!(await operations.fail(db, operation.number, failure))) return;
    if (operation.kind === 'create') await extensions.release(db, operation.extensionId);
    await audit.record(db, operation.by, deed(operation, { failed: failure.detail }));
  });
}

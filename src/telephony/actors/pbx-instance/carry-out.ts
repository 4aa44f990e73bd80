/** Carries out one operation on a PBX, from start to its recorded result. */
import { Superseded } from '../../../kernel/mailbox/lease';
import { Busy } from '../../../kernel/jobs/busy';
import { Fault } from '../../../kernel/fault';
import { CommitUnknown, isDeadlock, isDiskFull, isUnreachable } from '../../../kernel/mysql/outcome';
import type { Answered, Operation } from '../../model/extensions/operation';
import { begin } from '../../store/extensions/due-operations';
import type { Failure } from '../../store/extensions/operations';
import { leftMs, type TurnResources } from './turn-resources';
import { finishDone, finishFailed, finishLate } from './finish';
import { perform } from './perform';
import { planOf } from './plans';
import { notUndone, undo } from './undo';

/** An operation that fails for internal reasons is given up after this many attempts, so that others can proceed. */
const MAX_ATTEMPTS = 3;

/** Processes one operation: carries it out or undoes it. Returns the result if a waiting request needs it. */
export async function settleOne(resources: TurnResources, operation: Operation): Promise<Answered | undefined> {
  try {
    if (operation.state !== 'undoing') return await carryOut(resources, operation);
    await undo(resources, operation);
    return undefined;
  } catch (error) {
    if (isOurTrouble(error)) throw error;
    if (operation.state === 'undoing') {
      await notUndone(resources, operation, error);
      return undefined;
    }
    if (operation.attempts + 1 < MAX_ATTEMPTS) throw error;
    resources.turn.kernel.log.error({ error, operation: operation.id }, 'gave up on a PBX operation');
    const undo = operation.state !== 'pending';
    return finishFailed(resources, operation, { kind: 'upstream', detail: 'The order cannot be carried out', undo });
  }
}

/** Errors that say nothing about the operation, which may succeed when it is retried. */
const isOurTrouble = (error: unknown): boolean =>
  error instanceof Superseded ||
  error instanceof Busy ||
  error instanceof CommitUnknown ||
  isDeadlock(error) ||
  isDiskFull(error) ||
  isUnreachable(error);

async function carryOut(resources: TurnResources, operation: Operation): Promise<Answered | undefined> {
  const { mysql } = resources.turn.kernel;
  const openForMs = operation.state === 'pending' ? await resources.breaker.openForMs() : 0;
  if (openForMs > 0) {
    const detail = `The PBX failed several times in a row and is left alone for ${Math.ceil(openForMs / 1000)} s`;
    return finishFailed(resources, operation, { kind: 'upstream', detail, undo: false });
  }
  if (leftMs(resources, operation) <= 0) return finishLate(resources, operation);
  const { hasBegun, extension } = await begin(mysql, operation);
  if (!hasBegun) return finishLate(resources, operation);
  let failure: Failure | undefined;
  try {
    const plan = await planOf(resources, operation, extension);
    failure = plan.isNothing ? undefined : await perform(resources, operation, plan);
    if (!failure) return await finishDone(resources, operation, plan);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    failure = { kind: error.kind, detail: error.message, undo: operation.state === 'running' };
  }
  return finishFailed(resources, operation, failure);
}

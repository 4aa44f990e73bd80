/** Calls a PBX and reads the result back. If the outcome is unknown, it reads the PBX before it retries. */
import type { Operation } from '../../model/extensions/operation';
import { mustConfirm } from '../../model/extensions/voicemail-loss';
import type { Failure } from '../../store/extensions/operations';
import { ensureCurrent, leftMs, type TurnResources } from './turn-resources';
import { NotThere, PbxError, WouldDiscard } from './driver';
import type { Plan } from './plans';
import { NotHeld } from './read-back';
import { reloadOnce, wantReload } from './reload';

const MAX_TRIES = 2;

const NOTHING = {
  create: 'nothing was created',
  update: 'nothing was changed',
  delete: 'nothing was deleted',
} as const;

/** Returns undefined once the operation has taken effect. */
export async function perform(
  resources: TurnResources,
  operation: Operation,
  plan: Plan,
): Promise<Failure | undefined> {
  const failure = (detail: string, undo: boolean): Failure => ({
    kind: 'upstream',
    detail: `${detail}; ${NOTHING[operation.kind]}`,
    undo,
  });
  // An earlier worker began it and died, perhaps after the PBX had done it.
  if (operation.state === 'running') {
    const seen = await look(resources, operation, plan);
    if (seen === 'applied') {
      await wantReload(resources);
      return undefined;
    }
    if (seen === 'unknown') return failure('The PBX cannot be asked how far an interrupted order went', true);
  }
  for (let tries = 1; ; tries += 1) {
    const error = await attempt(resources, operation, plan);
    if (!error) return undefined;
    const refusal = refusalOf(error);
    if (refusal !== undefined) return { ...refusal, undo: tries > 1 || operation.state === 'running' };
    const left = await whatIsLeft(resources, operation, plan, error);
    if (left === 'applied') return undefined;
    const mayRepeat = tries < MAX_TRIES && leftMs(resources, operation) >= resources.settings.pbxCallMs / 2;
    if (left !== 'absent' || !mayRepeat) return failure(error.message, left !== 'nothing');
    await ensureCurrent(resources);
  }
}

/** The order itself cannot be carried out; the PBX was only asked. */
function refusalOf(error: PbxError): Omit<Failure, 'undo'> | undefined {
  if (error instanceof WouldDiscard) return { kind: 'invalid', detail: mustConfirm(error.remake).message };
  return error instanceof NotThere ? { kind: 'invalid', detail: error.message } : undefined;
}

/** Classifies the state after a failed call. `absent`: not there yet, but a silent PBX may still do it. */
async function whatIsLeft(
  resources: TurnResources,
  operation: Operation,
  plan: Plan,
  { trouble }: PbxError,
): Promise<'applied' | 'absent' | 'unknown' | 'nothing'> {
  if (trouble === 'refused' || trouble === 'away') return 'nothing';
  const seen = await look(resources, operation, plan);
  return seen === 'absent' && trouble === 'error' ? 'nothing' : seen;
}

async function attempt(resources: TurnResources, operation: Operation, plan: Plan): Promise<PbxError | undefined> {
  // A worker that was frozen since it began the order must not write over what a newer one has written.
  await resources.turn.ensureHeld();
  const deadlineMs = Math.min(resources.settings.pbxCallMs, Math.max(leftMs(resources, operation), 1));
  try {
    const { id: key, mayDiscard } = operation;
    await plan.call({ key, deadlineMs, mayDiscard, willChange: reloadOnce(resources) });
    await plan.confirm({ key: operation.id, deadlineMs: resources.settings.pbxCallMs / 2 });
    await resources.breaker.note(undefined);
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
  resources: TurnResources,
  operation: Operation,
  plan: Plan,
): Promise<'applied' | 'absent' | 'unknown'> {
  try {
    const context = { key: operation.id, deadlineMs: resources.settings.pbxCallMs / 2 };
    const held = await resources.driver.get(operation.extensionNumber, context);
    await resources.breaker.note(undefined);
    return plan.isApplied(held) ? 'applied' : 'absent';
  } catch (error) {
    // Not counted by the breaker: the call before was, and a failed order counts once.
    if (error instanceof PbxError) return 'unknown';
    throw error;
  }
}

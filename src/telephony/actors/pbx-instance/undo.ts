/**
 * Makes a PBX agree with the database about one number. Repeats for as long as a late change could still arrive, and a
 * limited number of times if it fails. What cannot be undone is left to the comparison, and named as `stuck`.
 */
import type { Operation } from '../../model/extensions/operation';
import { unseal } from '../../model/extensions/sealing';
import * as extensions from '../../store/extensions/extensions';
import { failUndo, postpone, undone } from '../../store/extensions/open-operations';
import { ensureCurrent, type TurnResources } from './turn-resources';
import { PbxError, type CallContext } from './driver';
import { hasWritten, isSame, pushed } from './drivers';
import { ensureGone, ensureHeld } from './read-back';
import { reloadOnce } from './reload';

const AGAIN_MS = 3000;
/** Over about an hour, as each pause is longer than the last. The attempts of the operation itself count too. */
const MAX_ATTEMPTS = 12;

export async function undo(resources: TurnResources, operation: Operation): Promise<void> {
  const { mysql } = resources.turn.kernel;
  // Of a PBX that is left alone, nothing is known.
  if ((await resources.breaker.openForMs()) > 0) return postpone(mysql, operation.number, AGAIN_MS);
  try {
    await converge(resources, operation);
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    return notUndone(resources, operation, error);
  }
  if (!(await undone(mysql, operation.number, resources.settings.pbxLateMs))) {
    await postpone(mysql, operation.number, AGAIN_MS);
  }
}

/** Records a failed attempt. The client was told of the failure of the order long ago. */
export async function notUndone({ turn }: TurnResources, operation: Operation, error: unknown): Promise<void> {
  const reason = error instanceof PbxError ? error.message : 'an error of the server, which its log names';
  const isStuck = await failUndo(turn.kernel.mysql, operation.number, { most: MAX_ATTEMPTS, reason });
  const about = { operation: operation.id, instance: operation.instance, extension: operation.extensionNumber };
  if (isStuck)
    turn.kernel.log.error({ ...about, error }, 'gave up undoing a PBX operation: the PBX may differ from the database');
  else turn.kernel.log.info({ ...about, detail: reason }, 'could not undo a PBX operation yet');
}

async function converge(resources: TurnResources, operation: Operation): Promise<void> {
  const { kernel } = resources.turn;
  const { driver, settings } = resources;
  const context = {
    key: `${operation.id}-undo`,
    deadlineMs: settings.pbxCallMs,
    willChange: reloadOnce(resources),
  };
  const [sealed, held] = await Promise.all([
    extensions.byNumber(kernel.mysql, operation.instance, operation.extensionNumber),
    driver.get(operation.extensionNumber, context),
  ]);
  await ensureCurrent(resources);
  if (sealed?.isVisible) {
    const wanted = pushed(unseal(kernel.secrets, sealed), context.key);
    if (!isSame(driver, held, wanted)) {
      const mayDiscard = sealed.id === operation.extensionId && mayLoseMessages(operation);
      await restore(resources, wanted, { ...context, mayDiscard });
    }
  } else if (hasWritten(operation, held)) {
    // Removes only what this very operation left; anything else is not ours.
    await driver.delete(operation.extensionNumber, context);
    await ensureGone(driver, operation.extensionNumber, context);
  }
  await resources.breaker.note(undefined);
}

/** Who ordered a deletion, or confirmed the loss for a change, has given the messages up: also if it is taken back. */
const mayLoseMessages = ({ kind, mayDiscard }: Operation): boolean => mayDiscard || kind === 'delete';

async function restore(
  { driver }: TurnResources,
  wanted: ReturnType<typeof pushed>,
  context: CallContext,
): Promise<void> {
  await driver.update(wanted, context);
  await ensureHeld(driver, wanted, context);
}

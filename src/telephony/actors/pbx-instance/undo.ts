/** Makes a PBX agree with the database about one number. Repeats for as long as a late change could still arrive. */
import type { Operation } from '../../model/extensions/operation';
import { unseal } from '../../model/extensions/sealing';
import * as extensions from '../../store/extensions/extensions';
import { postpone, undone } from '../../store/extensions/open-operations';
import { ensureCurrent, type TurnResources } from './turn-resources';
import { PbxError } from './driver';
import { hasWritten, isSame, pushed } from './drivers';
import { ensureGone, ensureHeld, NotHeld } from './read-back';
import { wantReload } from './reload';

const AGAIN_MS = 3000;

export async function undo(resources: TurnResources, operation: Operation): Promise<void> {
  const { mysql, log } = resources.turn.kernel;
  try {
    if ((await resources.breaker.openForMs()) === 0) await converge(resources, operation);
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    log.info({ operation: operation.id, trouble: error.trouble, detail: error.message }, 'could not undo yet');
    // A PBX that reports success but changes nothing would cause endless retries. The comparison handles it instead.
    if (!(error instanceof NotHeld)) return postpone(mysql, operation.number, AGAIN_MS);
  }
  if (!(await undone(mysql, operation.number, resources.settings.pbxLateMs))) {
    await postpone(mysql, operation.number, AGAIN_MS);
  }
}

async function converge(resources: TurnResources, operation: Operation): Promise<void> {
  const { kernel } = resources.turn;
  const { driver, settings } = resources;
  const context = { key: `${operation.id}-undo`, deadlineMs: settings.pbxCallMs };
  const [sealed, held] = await Promise.all([
    extensions.byNumber(kernel.mysql, operation.instance, operation.extensionNumber),
    driver.get(operation.extensionNumber, context),
  ]);
  await ensureCurrent(resources);
  if (sealed?.isVisible) {
    const wanted = pushed(unseal(kernel.secrets, sealed), context.key);
    if (!isSame(driver, held, wanted)) {
      await wantReload(resources, kernel.mysql);
      await driver.update(wanted, context);
      await ensureHeld(driver, wanted, context);
    }
  } else if (hasWritten(operation, held)) {
    // Removes only what this very operation left; anything else is not ours.
    await wantReload(resources, kernel.mysql);
    await driver.delete(operation.extensionNumber, context);
    await ensureGone(driver, operation.extensionNumber, context);
  }
  await resources.breaker.note(undefined);
}

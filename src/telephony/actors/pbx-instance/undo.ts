/**
 * Says what a failed order is for its client, and makes a PBX agree with the database about one number, after an order
 * failed. Repeats for as long as a late change could still arrive. What cannot be undone is left to the comparison, and
 * named as `stuck`.
 */
import { done, postponed, type Ending } from '../../../kernel/mailbox/ending';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Tx } from '../../../kernel/mysql/transaction';
import { companyTenant } from '../../model/companies/company';
import type { Extension } from '../../model/extensions/extension';
import { changed, type ExtensionChange, type Operation, type OperationId } from '../../model/extensions/operation';
import { mustConfirm } from '../../model/extensions/voicemail-loss';
import { unseal } from '../../model/extensions/sealing';
import * as extensions from '../../store/extensions/extensions';
import * as endings from '../../store/extensions/operation-endings';
import { find } from '../../store/extensions/operations';
import { pbxInstances } from '../mailboxes';
import { convergeArrangement } from '../pbx-arrangements/undo-arrangement';
import { NotThere, PhoneAway, WouldDiscard, type Held, type PbxError } from './driver';
import { ensureGone, ensurePbxHas, hasWritten, isSame, pushed } from './drivers';
import { reloadOnce } from './reload';
import { resourcesFor, type PbxParts, type TurnResources } from './turn-resources';

const AGAIN_MS = 3000;

const NOTHING = {
  create: 'nothing was created',
  update: 'nothing was changed',
  delete: 'nothing was deleted',
} as const;

export const failureOf = ({ kind }: Pick<Operation, 'kind'>, detail: string, undo: boolean): endings.Failure => ({
  kind: 'upstream',
  detail: `${detail}; ${NOTHING[kind]}`,
  undo,
});

/** The order itself cannot be carried out; the PBX was only asked. */
export function refusalOf(error: PbxError): Omit<endings.Failure, 'undo'> | undefined {
  if (error instanceof WouldDiscard) return { kind: 'invalid', detail: mustConfirm(error.remake).message };
  if (error instanceof PhoneAway) return { kind: 'conflict', detail: error.message };
  return error instanceof NotThere ? { kind: 'invalid', detail: error.message } : undefined;
}

/** Fails an order, unless it is over. What it may have left on the PBX is undone. Returns whether it was still open. */
export async function failOrder(tx: Tx, operation: Operation, failure: endings.Failure): Promise<boolean> {
  if (!(await endings.fail(tx.db, operation.number, failure))) return false;
  await endings.releaseReserved(tx.db, operation);
  if (failure.undo) sendUndo(tx, operation);
  return true;
}

export const sendUndo = (tx: Tx, { id, companyId, instance }: endings.PlacedOperation): void =>
  pbxInstances.at(companyTenant(companyId), instance).send(tx, { kind: 'undo', id });

export async function undoOrder(parts: PbxParts, turn: MailTurn, id: OperationId): Promise<Ending> {
  const { mysql } = turn.kernel;
  const { operation, instance } = await find(mysql, id, turn.at);
  if (operation?.state !== 'undoing') return done();
  const undone = done({ statements: [endings.undone(mysql, operation.number)] });
  if (!instance) return undone;
  const resources = resourcesFor(parts, turn, instance);
  // Of a PBX that is left alone, nothing is known.
  if ((await resources.breaker.openForMs()) > 0) return postponed(null, AGAIN_MS);
  await (operation.object === 'extension' ? converge : convergeArrangement)(resources, operation);
  await resources.breaker.note(undefined);
  return operation.calledAgoMs > parts.settings.pbxLateMs ? undone : postponed(null, AGAIN_MS);
}

async function converge(resources: TurnResources, operation: Operation): Promise<void> {
  const { driver, settings, turn } = resources;
  const { mysql, secrets } = turn.kernel;
  const { instance, objectNumber: number } = operation;
  const context = { key: `${operation.id}-undo`, deadlineMs: settings.pbxCallMs, willChange: reloadOnce(resources) };
  const [sealed, held] = await Promise.all([extensions.byNumber(mysql, instance, number), driver.get(number, context)]);
  await turn.ensureLease();
  if (sealed?.isVisible) {
    const extension = unseal(secrets, sealed);
    const wanted = pushed(extension, context.key);
    const hasPin = hasLeftPin(resources, operation, { extension, held });
    if (isSame(driver, held, wanted) && !hasPin) return;
    const mayDiscard = sealed.id === operation.objectId && mayLoseMessages(operation);
    // Another PIN than that of the order is its owner's.
    await driver.update(wanted, { ...context, mayDiscard, isRepair: !hasPin });
    await ensurePbxHas(driver, wanted, context);
  } else if (hasWritten(operation, held)) {
    // Removes only what this very operation left; anything else is not ours.
    await driver.delete(number, context);
    await ensureGone(driver, number, context);
  }
}

/** Whether the mailbox has the PIN of a failed order. Nothing else would show it, and it would then be adopted. */
function hasLeftPin(
  { turn }: TurnResources,
  { kind, objectId, payload }: Operation,
  { extension, held }: { readonly extension: Extension; readonly held: Held | undefined },
): boolean {
  const pin = held?.pin;
  if (pin === undefined || pin === extension.credentials.voicemail_vmpwd) return false;
  if (kind !== 'update' || payload === null || extension.id !== objectId) return false;
  const { secrets, clock } = turn.kernel;
  const { credentials } = changed(extension, JSON.parse(secrets.decrypt(payload)) as ExtensionChange, clock.now());
  return credentials.voicemail_vmpwd === pin;
}

/** Who ordered a deletion, or confirmed the loss for a change, has given the messages up: also if it is taken back. */
const mayLoseMessages = ({ kind, mayDiscard }: Operation): boolean => mayDiscard || kind === 'delete';

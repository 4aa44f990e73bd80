/** Makes a PBX agree with the database about a ring group, a number, forwards or a call, after an order for it failed. */
import { NO_FORWARDS, sameForwards, type Arrangement, type MadeKind } from '../../model/arrangements/arrangement';
import type { Operation } from '../../model/extensions/operation';
import * as arrangements from '../../store/arrangements/arrangements';
import {
  arrangementsOf,
  ensureArranged,
  ensureRemoved,
  forwardsOf,
  isHeld,
  type HeldArrangement,
} from './arrangements';
import { NotHeld } from '../pbx-instance/drivers';
import { reloadOnce } from '../pbx-instance/reload';
import type { TurnResources } from '../pbx-instance/turn-resources';

export async function convergeArrangement(resources: TurnResources, operation: Operation): Promise<void> {
  if (operation.object === 'forwards') return convergeForwards(resources, operation);
  if (operation.object === 'call') return endCall(resources, operation);
  const { driver, settings, turn } = resources;
  const { instance, objectNumber: number } = operation;
  const kind = operation.object as MadeKind;
  const at = arrangementsOf(driver);
  const context = { key: `${operation.id}-undo`, deadlineMs: settings.pbxCallMs, willChange: reloadOnce(resources) };
  const [row, held] = await Promise.all([
    arrangements.byNumber(turn.kernel.mysql, { instance, kind, number }),
    at.get(kind, number, context),
  ]);
  await turn.ensureLease();
  if (row?.isVisible) {
    const wanted = { ...row, operation: context.key };
    if (isHeld(at, held, wanted)) return;
    await at.put(wanted, context);
    await ensureArranged(at, wanted, context);
  } else if (held && isLeftBy(resources, operation, held)) {
    // Removes only what this very operation left; anything else is not ours.
    await at.remove(kind, number, context);
    await ensureRemoved(at, { kind, number }, context);
  }
}

/** A PBX that cannot store which operation wrote something holds just what a creation was to make. */
function isLeftBy({ driver, turn }: TurnResources, operation: Operation, held: HeldArrangement): boolean {
  if (held.operation !== undefined) return held.operation === operation.id;
  if (operation.kind !== 'create' || operation.payload === null) return false;
  const data = JSON.parse(turn.kernel.secrets.decrypt(operation.payload)) as Arrangement<MadeKind>['data'];
  const { kind, number } = held;
  return isHeld(arrangementsOf(driver), held, { kind, number, data, operation: operation.id });
}

/** A telephone that still rings for it. */
async function endCall({ driver, settings, turn }: TurnResources, { id }: Operation): Promise<void> {
  await turn.ensureLease();
  await driver.phoneCalls?.end(id, { key: `${id}-undo`, deadlineMs: settings.pbxCallMs });
}

async function convergeForwards({ driver, settings, turn }: TurnResources, operation: Operation): Promise<void> {
  const { instance, objectNumber: number } = operation;
  const at = forwardsOf(driver);
  const context = { key: `${operation.id}-undo`, deadlineMs: settings.pbxCallMs };
  const [row, held] = await Promise.all([
    arrangements.byNumber(turn.kernel.mysql, { instance, kind: 'forwards', number }),
    at.get(number, context),
  ]);
  const wanted = row?.data ?? NO_FORWARDS;
  if (sameForwards(held, wanted)) return;
  await turn.ensureLease();
  await at.set(number, wanted, context);
  if (!sameForwards(await at.get(number, context), wanted)) throw new NotHeld('holds something else');
}

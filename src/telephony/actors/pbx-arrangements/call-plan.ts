/** Plans a call that somebody has begun by a click: their telephone rings, then the number. */
import { callObject, type CallOrder } from '../../model/calls/phone-call';
import type { Operation } from '../../model/extensions/operation';
import { noExtension } from '../../model/faults';
import type { SealedExtension } from '../../store/extensions/extensions';
import { NotHeld } from '../pbx-instance/drivers';
import type { Plan } from '../pbx-instance/plans';
import type { TurnResources } from '../pbx-instance/turn-resources';

export function planCall(
  { driver, turn }: TurnResources,
  operation: Operation,
  extension: SealedExtension | undefined,
): Plan {
  if (!extension?.isVisible) throw noExtension();
  const { to } = JSON.parse(turn.kernel.secrets.decrypt(operation.payload ?? '')) as CallOrder;
  const at = driver.phoneCalls;
  // Orders for a PBX that begins none are refused before.
  if (!at) throw new NotHeld('begins no calls');
  return {
    isOnce: true,
    call: (context) => at.begin({ from: extension.number, to }, context),
    // The answer is enough: a call that was declined is over before anybody could look.
    confirm: () => Promise.resolve(),
    isApplied: (context) => at.isThere(operation.id, context),
    effect: { commit: () => Promise.resolve() },
    answer: () => callObject(operation, extension, to),
  };
}

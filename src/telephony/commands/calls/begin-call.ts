/** Begins a call by a click, as an order to the PBX: a repeated one is the same call. */
import { ensure } from '../../../kernel/fault';
import type { Caller } from '../../model/contacts/contact';
import { emergencyByHand, noClickToCall, noExtension, notYourPhone } from '../../model/faults';
import { BACKEND_CLICK_TO_CALL, kindOf } from '../../model/sites/backends';
import { emergencyNumbers } from '../../model/sites/site';
import type { Ordering } from '../../parts';
import { getInstance } from '../../queries/sites/sites';
import * as extensions from '../../store/extensions/extensions';
import { findPlaced, placeOrder, type OrderOptions, type Placed } from '../extensions/place-order';

export interface CallRequest {
  readonly uuid: string;
  readonly id: string;
  readonly to: string;
  readonly options: OrderOptions;
}

export async function beginCall(
  context: Ordering,
  by: Caller,
  { uuid, id, to, options }: CallRequest,
): Promise<Placed> {
  const instance = await getInstance(context.mysql, by, uuid);
  const known = await findPlaced(context, by, options);
  if (known) return known;
  const extension = await extensions.byId(context.mysql, instance.uuid, id);
  if (!extension?.isVisible) throw noExtension();
  ensure(by.isOwner || extension.userId === by.contactId, notYourPhone());
  const backend = kindOf(instance);
  ensure(BACKEND_CLICK_TO_CALL[backend], noClickToCall(backend));
  ensure(!emergencyNumbers(instance).includes(to.replace('+', '')), emergencyByHand());
  return placeOrder(context, by, options, {
    instance: instance.uuid,
    kind: 'create',
    object: 'call',
    objectId: extension.id,
    objectNumber: extension.number,
    payload: context.secrets.encrypt(JSON.stringify({ to })),
  });
}

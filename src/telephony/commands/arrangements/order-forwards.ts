/** Changes the forwards and the do-not-disturb of an extension, by an order to the PBX. */
import { ensure } from '../../../kernel/fault';
import type { ForwardsData } from '../../model/arrangements/arrangement';
import type { Caller } from '../../model/contacts/contact';
import { invalid, noExtension, notYours } from '../../model/faults';
import type { Ordering } from '../../parts';
import { getInstance } from '../../queries/sites/sites';
import * as extensions from '../../store/extensions/extensions';
import { mayChange } from '../extensions/order-extensions';
import { findPlaced, placeOrder, type OrderOptions, type Placed } from '../extensions/place-order';
import { ensureArrangeable } from './check-arrangements';

export interface ForwardsRequest {
  readonly uuid: string;
  readonly id: string;
  /** What is not given stays as it is. */
  readonly change: Partial<ForwardsData>;
  readonly options: OrderOptions;
}

export async function changeForwards(
  context: Ordering,
  by: Caller,
  { uuid, id, change, options }: ForwardsRequest,
): Promise<Placed> {
  const instance = await getInstance(context.mysql, by, uuid);
  const known = await findPlaced(context, by, options);
  if (known) return known;
  const extension = await extensions.byId(context.mysql, instance.uuid, id);
  if (!extension?.isVisible) throw noExtension();
  ensure(mayChange(by, extension), notYours('extension'));
  ensureArrangeable(instance, 'forwards');
  const own = (['always', 'busy', 'no_answer'] as const).find((name) => change[name] === String(extension.number));
  ensure(own === undefined, invalid(`${own}: the extension forwards to itself`));
  return placeOrder(context, by, options, {
    instance: instance.uuid,
    kind: 'update',
    object: 'forwards',
    objectId: extension.id,
    objectNumber: extension.number,
    payload: context.secrets.encrypt(JSON.stringify(change)),
  });
}

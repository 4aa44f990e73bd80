/** Plans an order that is about a ring group, a number from outside, or the forwards of an extension. */
import type { Tx } from '../../../kernel/mysql/transaction';
import {
  nameOf,
  sameForwards,
  type Arrangement,
  type ForwardsData,
  type MadeKind,
} from '../../model/arrangements/arrangement';
import { arrangementChanged, arrangementDeleted, forwardsChanged } from '../../model/arrangements/arrangement-events';
import { forwardsObject, madeObject } from '../../model/arrangements/arrangement-wire';
import type { Operation } from '../../model/extensions/operation';
import { noExtension, noSuchArrangement } from '../../model/faults';
import * as arrangements from '../../store/arrangements/arrangements';
import type { SealedExtension } from '../../store/extensions/extensions';
import {
  arrangementsOf,
  ensureArranged,
  ensureRemoved,
  forwardsOf,
  isHeld,
  type PbxArrangements,
  type WantedArrangement,
} from './arrangements';
import { NotThere, type CallContext } from '../pbx-instance/driver';
import { NotHeld } from '../pbx-instance/drivers';
import { throwInTheMiddle, untilDeadline } from '../pbx-instance/pbx-http';
import type { Plan } from '../pbx-instance/plans';
import type { TurnResources } from '../pbx-instance/turn-resources';

export async function planArrangement(
  resources: TurnResources,
  operation: Operation,
  extension: SealedExtension | undefined,
): Promise<Plan> {
  if (operation.object === 'forwards') return planForwards(resources, operation, extension);
  const { instance, object: kind, objectId: id } = operation;
  const found = await arrangements.byId(resources.turn.kernel.mysql, { instance, kind: kind as MadeKind, id });
  if (!found || (operation.kind !== 'create' && !found.isVisible)) throw noSuchArrangement();
  return operation.kind === 'delete' ? planRemoval(resources, found) : planChange(resources, operation, found);
}

const payloadOf = <T>({ turn }: TurnResources, { payload }: Operation): T =>
  JSON.parse(turn.kernel.secrets.decrypt(payload ?? '')) as T;

/** A creation and a change are the same to a PBX. */
function planChange(resources: TurnResources, operation: Operation, before: Arrangement<MadeKind>): Plan {
  const at = arrangementsOf(resources.driver);
  const isNew = operation.kind === 'create';
  const given = isNew ? {} : payloadOf<object>(resources, operation);
  const after = {
    ...before,
    data: { ...before.data, ...given } as Arrangement<MadeKind>['data'],
    updatedAt: isNew ? before.updatedAt : resources.turn.kernel.clock.now(),
  };
  const wanted: WantedArrangement = { ...after, operation: operation.id, isNew };
  return {
    async call(context) {
      const step = untilDeadline(context);
      await ensureCarried(at, nameOf(wanted.kind, wanted.number), step());
      await at.put(wanted, step());
    },
    confirm: (context) => ensureArranged(at, wanted, context),
    async isApplied(context) {
      const held = await at.get(wanted.kind, wanted.number, context);
      return isHeld(at, held, wanted) && (held.operation ?? operation.id) === operation.id;
    },
    effect: {
      async commit(tx) {
        await (isNew ? arrangements.show(tx.db, after.id) : arrangements.update(tx.db, after.id, after.data));
        tx.deliver(arrangementChanged(after));
      },
    },
    answer: () => madeObject(after),
  };
}

function planRemoval({ driver }: TurnResources, found: Arrangement<MadeKind>): Plan {
  const at = arrangementsOf(driver);
  return {
    call: (context) => at.remove(found.kind, found.number, context),
    confirm: (context) => ensureRemoved(at, found, context),
    isApplied: async (context) => (await at.get(found.kind, found.number, context)) === undefined,
    effect: {
      async commit(tx) {
        await arrangements.remove(tx.db, found.id);
        tx.deliver(arrangementDeleted(found));
      },
    },
    answer: () => madeObject(found),
  };
}

/** Refused because of the PBX as it is, such as one without the dial plan of Partyline. */
async function ensureCarried(at: Pick<PbxArrangements, 'refusal'>, what: string, context: CallContext): Promise<void> {
  const said = await at.refusal?.(context);
  if (said !== undefined) throw new NotThere(`${what}: ${said}`);
}

/** What is not given stays as the PBX has it: somebody may have changed it at the telephone a moment ago. */
function planForwards(resources: TurnResources, operation: Operation, extension: SealedExtension | undefined): Plan {
  if (!extension?.isVisible) throw noExtension();
  const at = forwardsOf(resources.driver);
  const { number } = extension;
  const given = payloadOf<Partial<ForwardsData>>(resources, operation);
  let after: ForwardsData | undefined;
  const read = async (context: CallContext): Promise<boolean> => {
    const held = await at.get(number, context);
    after = { ...held, ...given };
    return sameForwards(held, after);
  };
  return {
    async call(context) {
      const step = untilDeadline(context);
      await ensureCarried(at, nameOf('forwards', number), step());
      if (!(await read(step()))) await at.set(number, after!, step());
    },
    async confirm(context) {
      if (!(await read(context).catch(throwInTheMiddle))) throw new NotHeld('holds something else');
    },
    isApplied: read,
    effect: { commit: (tx) => keepForwards(tx, { extension, data: after!, source: 'order' }, now(resources)) },
    answer: () => forwardsObject(extension, { data: after!, source: 'order', updatedAt: now(resources) }),
  };
}

const now = ({ turn }: TurnResources): Date => turn.kernel.clock.now();

export interface KeptForwards {
  readonly extension: Pick<SealedExtension, 'id' | 'companyId' | 'pbx' | 'number'>;
  readonly data: ForwardsData;
  readonly source: Arrangement['source'];
}

export async function keepForwards(tx: Tx, kept: KeptForwards, updatedAt: Date): Promise<void> {
  const { extension, data, source } = kept;
  await arrangements.saveForwards(tx.db, extension, data, source);
  tx.deliver(forwardsChanged(extension.companyId, forwardsObject(extension, { data, source, updatedAt })));
}

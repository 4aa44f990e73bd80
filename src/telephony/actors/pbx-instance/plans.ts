/** Plans an operation when its turn has come: the call, how to confirm it, and what to write. */
import type { Query } from '../../../kernel/mysql/commit-statements';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import { changesBetween, type Changes } from '../../model/changes';
import { userText, type Contact } from '../../model/contacts/contact';
import type { Extension } from '../../model/extensions/extension';
import { extensionObject, maySeeCredentials } from '../../model/extensions/extension-wire';
import {
  changed,
  type ExtensionChange,
  type ExtensionCreation,
  type Operation,
} from '../../model/extensions/operation';
import { standingOf } from '../../model/extensions/provisioning-state';
import { seal, unseal } from '../../model/extensions/sealing';
import { emptiesMailbox, LOST } from '../../model/extensions/voicemail-loss';
import { groupHasNumber, noExtension } from '../../model/faults';
import * as contacts from '../../store/contacts/contacts';
import * as extensions from '../../store/extensions/extensions';
import { orderBefore } from '../../store/extensions/operation-queries';
import * as drift from '../../store/sites/drift';
import type { TurnResources } from './turn-resources';
import { planArrangement } from '../pbx-arrangements/arrangement-plans';
import { planCall } from '../pbx-arrangements/call-plan';
import { NotThere, type CallContext, type Held, type PbxDriver } from './driver';
import { ensureGone, ensurePbxHas, hasWritten, isNoChange, isSame, pushed, unseenChanges } from './drivers';
import { untilDeadline } from './pbx-http';

export interface Plan {
  /** Nothing that the PBX stores is changed, so it is not called. */
  readonly isNothing?: boolean;
  call(context: CallContext): Promise<void>;
  /** It must not happen twice, and nobody can tell whether it has happened once it is over. */
  readonly isOnce?: boolean;
  /** Reads back the effect of the call; throws if the PBX holds something else. */
  confirm(context: CallContext): Promise<void>;
  /** Asks the PBX whether this very operation has fully taken effect. */
  isApplied(context: CallContext): Promise<boolean>;
  /** The statement to run once it has taken effect; or all that is then to be written and published. */
  readonly effect: { write(db: Database): Query } | { commit(tx: Tx): Promise<void> };
  /** Called once it has taken effect. */
  answer(): object;
  /** Before and after, for the audit trail. */
  readonly changes?: Changes;
}

/** Throws a Fault if the operation's extension no longer exists. */
export async function planOf(
  resources: TurnResources,
  operation: Operation,
  sealed: extensions.SealedExtension | undefined,
): Promise<Plan> {
  const { kernel } = resources.turn;
  if (operation.object === 'call') return planCall(resources, operation, sealed);
  if (operation.object !== 'extension') return planArrangement(resources, operation, sealed);
  // A creation reserves no number that a ring group has.
  if (!sealed && operation.kind === 'create') throw groupHasNumber(operation.objectNumber);
  if (!sealed || (operation.kind !== 'create' && !sealed.isVisible)) throw noExtension();
  const extension = unseal(kernel.secrets, sealed);
  switch (operation.kind) {
    case 'create':
      return planCreate(resources, operation, extension);
    case 'update':
      return planUpdate(resources, operation, extension);
    case 'delete':
      return planDelete(resources, operation, extension);
  }
}

async function planCreate(resources: TurnResources, operation: Operation, extension: Extension): Promise<Plan> {
  const { kernel } = resources.turn;
  const wanted = pushed(extension, operation.id);
  const { warnings } = JSON.parse(kernel.secrets.decrypt(operation.payload ?? '')) as ExtensionCreation;
  const lost = noteLoss();
  const view = { ...(await viewOf(resources, extension)), warnings };
  return {
    call: (context) => order(resources.driver, { kind: 'create', wanted }, { ...context, ...lost.context }),
    confirm: (context) => ensurePbxHas(resources.driver, wanted, context),
    isApplied: async (context) => {
      const held = await resources.driver.get(extension.number, context);
      return hasWritten(operation, held) && isSame(resources.driver, held, wanted);
    },
    effect: { write: (db) => extensions.show(db, extension.id) },
    // The creator may have chosen the secret, so the answer shows it.
    answer: () => lost.named(extensionObject(view, true, kernel.clock.now())),
  };
}

async function planUpdate(resources: TurnResources, operation: Operation, before: Extension): Promise<Plan> {
  const { kernel } = resources.turn;
  const { driver, instance } = resources;
  const change = JSON.parse(kernel.secrets.decrypt(operation.payload ?? '')) as ExtensionChange;
  const after = changed(before, change, kernel.clock.now());
  const view = { ...(await viewOf(resources, after)), warnings: change.warnings };
  const [former, wanted] = [pushed(before, operation.id), pushed(after, operation.id)];
  const isUnseen = unseenChanges(driver, former, wanted).length > 0;
  // The assigned user may have been deleted meanwhile.
  const userId = view.user?.id ?? null;
  // A worker that died may have deleted messages without saying so.
  const isTakenOver = operation.state === 'running' && operation.mayDiscard;
  const lost = noteLoss(isTakenOver && emptiesMailbox(instance.backend, before, after).length > 0);
  return {
    isNothing: isNoChange(driver, former, wanted) && (await isSettled(resources, operation)),
    call: (context) =>
      order(driver, { kind: 'update', wanted, before: before.data }, { ...context, ...lost.context, before: former }),
    confirm: (context) => ensurePbxHas(driver, wanted, context),
    isApplied: async (context) => {
      const held = await driver.get(before.number, context);
      if (isUnseen || !isSame(driver, held, wanted)) return false;
      return driver.recognises === 'content' || held.operation === operation.id;
    },
    effect: {
      write: (db) =>
        extensions.update(db, after.id, {
          ...after,
          userId,
          userText: view.user ? userText(view.user) : '',
          credentials: seal(kernel.secrets, after.credentials),
        }),
    },
    answer: () => lost.named(extensionObject(view, maySeeCredentials(operation.by, { userId }), kernel.clock.now())),
    changes: changesBetween(trailed(before), trailed({ ...after, userId })),
  };
}

/** The fields that the audit trail names. */
const trailed = ({ data, credentials, purpose, userId, locationId }: Extension) => ({
  ...data,
  ...credentials,
  purpose,
  user_id: userId,
  location_id: locationId,
});

/** Pushes an extension, unless it refers to what the PBX does not have. */
async function order(
  driver: PbxDriver,
  { kind, wanted, before = {} }: { kind: 'create' | 'update'; wanted: Held; before?: Extension['data'] },
  context: CallContext,
): Promise<void> {
  const step = untilDeadline(context);
  const lacking = await driver.lacks?.(wanted, before, step());
  if (lacking !== undefined) throw new NotThere(`data.${lacking}: the PBX has nothing of that name`);
  await driver[kind](wanted, step());
}

/** Whether the PBX holds what the database has, as far as is known. Otherwise an order without changes repairs it. */
async function isSettled({ turn, instance }: TurnResources, operation: Operation): Promise<boolean> {
  if (operation.state === 'running') return false;
  const { mysql } = turn.kernel;
  const [order, comparison] = await Promise.all([
    orderBefore(mysql, operation),
    drift.byInstance(mysql, instance.uuid),
  ]);
  return standingOf(operation.objectNumber, order, comparison).state === 'ready';
}

/** Remembers that messages were deleted, and names it among the warnings of the answer. */
function noteLoss(isKnown = false) {
  let isLost = isKnown;
  return {
    context: { willDiscard: () => void (isLost = true) },
    named: (object: ReturnType<typeof extensionObject>): object =>
      isLost ? { ...object, warnings: [...object.warnings, LOST] } : object,
  };
}

async function planDelete(resources: TurnResources, operation: Operation, extension: Extension): Promise<Plan> {
  const mayShow = maySeeCredentials(operation.by, extension);
  const view = await viewOf(resources, extension);
  return {
    call: (context) => resources.driver.delete(extension.number, context),
    confirm: (context) => ensureGone(resources.driver, extension.number, context),
    isApplied: async (context) => (await resources.driver.get(extension.number, context)) === undefined,
    effect: { write: (db) => extensions.remove(db, extension.id) },
    answer: () => extensionObject(view, mayShow, resources.turn.kernel.clock.now()),
  };
}

async function viewOf(resources: TurnResources, extension: Extension) {
  const { companyId, userId } = extension;
  const user: Contact | undefined =
    userId === null ? undefined : await contacts.byId(resources.turn.kernel.mysql, companyId, userId);
  return { extension, user: user ?? null, instance: resources.instance };
}

/** Plans an operation when its turn has come: the call, how to confirm it, and what to write. */
import type { Query } from '../../../kernel/mysql/commit-statements';
import type { Database } from '../../../kernel/mysql/pool';
import { userText, type Contact } from '../../model/contacts/contact';
import type { Extension } from '../../model/extensions/extension';
import { changedData, credentialsFor, purposeFor } from '../../model/extensions/extension-draft';
import { extensionObject, maySeeCredentials } from '../../model/extensions/extension-wire';
import type { ExtensionChange, ExtensionCreation, Operation } from '../../model/extensions/operation';
import { seal, unseal } from '../../model/extensions/sealing';
import { noExtension } from '../../model/faults';
import * as contacts from '../../store/contacts/contacts';
import * as extensions from '../../store/extensions/extensions';
import type { TurnResources } from './turn-resources';
import { NotThere, type CallContext, type Held, type PbxDriver } from './driver';
import { hasWritten, isSame, pushed } from './drivers';
import { untilDeadline } from './pbx-http';
import { ensureGone, ensureHeld } from './read-back';

export interface Plan {
  call(context: CallContext): Promise<void>;
  /** Reads back the effect of the call; throws if the PBX holds something else. */
  confirm(context: CallContext): Promise<void>;
  /** Whether this very operation has fully taken effect. */
  isApplied(held: Held | undefined): boolean;
  /** The statement to run once it has taken effect. */
  write(db: Database): Query;
  readonly answer: object;
}

/** Throws a Fault if the operation's extension no longer exists. */
export async function planOf(
  resources: TurnResources,
  operation: Operation,
  sealed: extensions.SealedExtension | undefined,
): Promise<Plan> {
  const { kernel } = resources.turn;
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
  // An order that the release before placed has none.
  const warnings =
    operation.payload === null
      ? undefined
      : (JSON.parse(kernel.secrets.decrypt(operation.payload)) as ExtensionCreation).warnings;
  return {
    call: (context) => order(resources.driver, { kind: 'create', wanted }, context),
    confirm: (context) => ensureHeld(resources.driver, wanted, context),
    isApplied: (held) => hasWritten(operation, held) && isSame(resources.driver, held, wanted),
    write: (db) => extensions.show(db, extension.id),
    // The creator may have chosen the secret, so the answer shows it.
    answer: extensionObject({ ...(await viewOf(resources, extension)), warnings }, true, kernel.clock.now()),
  };
}

async function planUpdate(resources: TurnResources, operation: Operation, before: Extension): Promise<Plan> {
  const { kernel } = resources.turn;
  const change = JSON.parse(kernel.secrets.decrypt(operation.payload ?? '')) as ExtensionChange;
  const isReplacement = change.mode === 'replace';
  const { body } = change;
  const after: Extension = {
    ...before,
    userId: change.userId === undefined ? before.userId : change.userId,
    locationId: change.locationId ?? before.locationId,
    purpose: purposeFor(body, isReplacement ? undefined : before.purpose),
    data: changedData(change.mode, body, before.number, before.data),
    credentials: credentialsFor(body, before.credentials),
    updatedAt: kernel.clock.now(),
  };
  const view = { ...(await viewOf(resources, after)), warnings: change.warnings };
  const wanted = pushed(after, operation.id);
  // The assigned user may have been deleted meanwhile.
  const userId = view.user?.id ?? null;
  return {
    call: (context) => order(resources.driver, { kind: 'update', wanted, before: before.data }, context),
    confirm: (context) => ensureHeld(resources.driver, wanted, context),
    isApplied: (held) =>
      isSame(resources.driver, held, wanted) &&
      (resources.driver.recognises === 'content' || held.operation === operation.id),
    write: (db) =>
      extensions.update(db, after.id, {
        ...after,
        userId,
        userText: view.user ? userText(view.user) : '',
        credentials: seal(kernel.secrets, after.credentials),
      }),
    answer: extensionObject(view, maySeeCredentials(operation.by, { userId }), kernel.clock.now()),
  };
}

/** Pushes an extension, unless it refers to what the PBX does not have. */
async function order(
  driver: PbxDriver,
  { kind, wanted, before = {} }: { kind: 'create' | 'update'; wanted: Held; before?: Extension['data'] },
  context: CallContext,
): Promise<void> {
  const step = untilDeadline(context);
  const lacking = await driver.lacks?.(wanted, before, step());
  if (lacking !== undefined) throw new NotThere(lacking);
  await driver[kind](wanted, step());
}

async function planDelete(resources: TurnResources, operation: Operation, extension: Extension): Promise<Plan> {
  const mayShow = maySeeCredentials(operation.by, extension);
  return {
    call: (context) => resources.driver.delete(extension.number, context),
    confirm: (context) => ensureGone(resources.driver, extension.number, context),
    isApplied: (held) => held === undefined,
    write: (db) => extensions.remove(db, extension.id),
    answer: extensionObject(await viewOf(resources, extension), mayShow, resources.turn.kernel.clock.now()),
  };
}

async function viewOf(resources: TurnResources, extension: Extension) {
  const { companyId, userId } = extension;
  const user: Contact | undefined =
    userId === null ? undefined : await contacts.byId(resources.turn.kernel.mysql, companyId, userId);
  return { extension, user: user ?? null, instance: resources.instance };
}

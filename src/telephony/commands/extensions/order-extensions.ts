/** Creates, changes and deletes extensions: validates the request, then orders the change from the PBX. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Ordering } from '../../parts';
import { ensure } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { userText, type Caller, type Contact } from '../../model/contacts/contact';
import { orderWarnings } from '../../model/extensions/backend-fields';
import type { ExtensionId } from '../../model/extensions/extension';
import {
  changedData,
  credentialsFor,
  dataFor,
  givesCredentials,
  numberOf,
  purposeFor,
  sentFields,
  type ExtensionBody,
} from '../../model/extensions/extension-draft';
import type { ExtensionChange, ExtensionCreation } from '../../model/extensions/operation';
import { markOf, newCredentials, seal, unseal } from '../../model/extensions/sealing';
import { existing, invalid, noExtension, notYours, numberTaken, unassignedIsOwners } from '../../model/faults';
import { kindOf } from '../../model/sites/backends';
import type { Instance } from '../../model/sites/site';
import { getInstance } from '../../queries/sites/sites';
import * as contacts from '../../store/contacts/contacts';
import * as extensions from '../../store/extensions/extensions';
import * as sites from '../../store/sites/sites';
import { findUser } from '../contacts/change-contacts';
import { ensureKept, ensureOwnCallerIds, mayEmptyMailbox } from './check-orders';
import { findPlaced, placeOrder, type OrderOptions, type Order, type Placed } from './place-order';

export interface Request {
  readonly uuid: string;
  readonly body: ExtensionBody;
  readonly options: OrderOptions;
}

/** An order before it is placed, with what its answer will warn of. */
export type DraftedOrder = Order & { readonly warnings: readonly string[] };

export async function addExtension(context: Ordering, by: Caller, { uuid, body, options }: Request): Promise<Placed> {
  const instance = await getInstance(context.mysql, by, uuid);
  const known = await findPlaced(context, by, options);
  if (known) return known;
  return placeOrder(context, by, options, await creation(context, { by, instance, body }));
}

/** Builds the order to create an extension. Throws a Fault if the body is invalid. */
export async function creation(
  kernel: Storage,
  { by, instance, body }: { readonly by: Caller; readonly instance: Instance; readonly body: ExtensionBody },
): Promise<DraftedOrder> {
  const number = givenNumber(body);
  ensure(number !== undefined, invalid('data.id: the number of the extension is required'));
  const name = (body.data as { name?: string } | undefined)?.name?.trim();
  ensure(name !== undefined && name !== '', invalid('data.name: is required'));
  ensureKept(instance, body);
  const data = dataFor(body, number);
  const [user, locationId] = await Promise.all([
    userFor(kernel.mysql, instance, body),
    locationFor(kernel.mysql, instance, body),
    ensureOwnCallerIds(kernel.mysql, by, { number, after: data }),
  ]);
  const id = newId() as ExtensionId;
  const credentials = credentialsFor(body, newCredentials());
  const warnings = orderWarnings(kindOf(instance), sentFields(body), { number, data, credentials });
  const order: ExtensionCreation = { warnings };
  const content = {
    number,
    userId: user?.id ?? null,
    userText: user ? userText(user) : '',
    locationId: locationId ?? instance.locationId,
    purpose: purposeFor(body),
    data,
    credentials: seal(kernel.secrets, credentials),
  };
  const place = { id, companyId: instance.companyId, pbx: instance.uuid };
  return {
    instance: instance.uuid,
    kind: 'create',
    object: 'extension',
    objectId: id,
    objectNumber: number,
    payload: kernel.secrets.encrypt(JSON.stringify(order)),
    warnings,
    mark: markOf(kernel.secrets, instance.uuid, { number, secret: credentials.secret }),
    mayDiscard: body.discard_voicemail ?? false,
    row: extensions.reserve(kernel.mysql, { ...content, ...place }),
    duplicate: numberTaken(number),
  };
}

/** Replaces an extension, or changes the given fields. */
export async function changeExtension(
  context: Ordering,
  by: Caller,
  { uuid, body, options, id, mode }: Request & { id: string; mode: ExtensionChange['mode'] },
): Promise<Placed> {
  const instance = await getInstance(context.mysql, by, uuid);
  const known = await findPlaced(context, by, options);
  if (known) return known;
  const before = await findChangeable(context.mysql, by, instance, id);
  return placeOrder(context, by, options, await alteration(context, { by, instance, before, body, mode }));
}

export async function alteration(
  kernel: Storage,
  asked: {
    readonly by: Caller;
    readonly instance: Instance;
    readonly before: extensions.SealedExtension;
    readonly body: ExtensionBody;
    readonly mode: ExtensionChange['mode'];
  },
): Promise<DraftedOrder> {
  const { by, instance, before, body, mode } = asked;
  const number = givenNumber(body) ?? before.number;
  ensure(number === before.number, invalid('data.id: the number of an extension cannot be changed'));
  ensureKept(instance, body, before);
  const isUserNamed =
    body.user !== undefined || (body.data as object | undefined)?.['voicemail_email' as never] !== undefined;
  const data = changedData(mode, body, number, before.data);
  const [user, locationId] = await Promise.all([
    userFor(kernel.mysql, instance, body),
    locationFor(kernel.mysql, instance, body),
    ensureOwnCallerIds(kernel.mysql, by, { number, after: data, before: before.data }),
  ]);
  // Assigning an extension also reveals its secret to the assigned user.
  const opensIt = before.userId === null && (givesCredentials(body) || user !== undefined);
  ensure(by.isOwner || !opensIt, unassignedIsOwners());
  const stored = unseal(kernel.secrets, before);
  const after = { number, data, credentials: credentialsFor(body, stored.credentials) };
  const warnings = orderWarnings(kindOf(instance), sentFields(body), after, stored);
  const change: ExtensionChange = {
    mode,
    body,
    warnings,
    ...(mode === 'replace' || isUserNamed ? { userId: user?.id ?? null } : {}),
    ...(locationId === undefined ? {} : { locationId }),
  };
  const mayDiscard = mayEmptyMailbox(kernel, instance, before, change);
  return {
    instance: instance.uuid,
    kind: 'update',
    object: 'extension',
    objectId: before.id,
    objectNumber: before.number,
    payload: kernel.secrets.encrypt(JSON.stringify(change)),
    warnings,
    mayDiscard,
  };
}

export async function removeExtension(
  context: Ordering,
  by: Caller,
  { uuid, id, options }: Omit<Request, 'body'> & { id: string },
): Promise<Placed> {
  const instance = await getInstance(context.mysql, by, uuid);
  const known = await findPlaced(context, by, options);
  if (known) return known;
  const before = await findChangeable(context.mysql, by, instance, id);
  // Otherwise a user could delete it and create it again with a secret of their choice.
  ensure(by.isOwner || before.userId !== null, unassignedIsOwners());
  return placeOrder(context, by, options, {
    instance: instance.uuid,
    kind: 'delete',
    object: 'extension',
    objectId: before.id,
    objectNumber: before.number,
    payload: null,
  });
}

/**
 * Users may change their own and unassigned extensions; only the owner may change another user's. For an unassigned
 * extension, only the owner may set credentials, assign it or delete it.
 */
export const mayChange = (by: Caller, { userId }: Pick<extensions.SealedExtension, 'userId'>): boolean =>
  by.isOwner || userId === null || userId === by.contactId;

async function findChangeable(db: Database, by: Caller, instance: Instance, id: string) {
  const found = await extensions.byId(db, instance.uuid, id);
  if (!found?.isVisible) throw noExtension();
  ensure(mayChange(by, found), notYours('extension'));
  return found;
}

function givenNumber(body: ExtensionBody): number | undefined {
  const number = numberOf(body);
  if (typeof number === 'string') throw invalid(number);
  return number;
}

/** The contact named by id or address, else the contact with the voicemail address, else undefined. */
async function userFor(db: Database, { companyId }: Instance, body: ExtensionBody): Promise<Contact | undefined> {
  const { id, work_email: address } = body.user ?? {};
  if (id) return findUser(db, companyId, { field: 'user.id', id });
  if (address) return existing(await contacts.byEmail(db, companyId, address), noSuchAddress);
  const email = (body.data as { voicemail_email?: string } | undefined)?.voicemail_email;
  return email ? contacts.byEmail(db, companyId, email) : undefined;
}

const noSuchAddress = () => invalid('user.work_email: there is no such user in this company');

/** The location named by id or name, if one is named. */
async function locationFor(
  db: Database,
  instance: Instance,
  { location_id: id, location: named }: ExtensionBody,
): Promise<string | undefined> {
  if (id && id !== instance.locationId) {
    const location = await sites.locationById(db, instance.companyId, id);
    ensure(location !== undefined, invalid('location_id: there is no such location in this company'));
  }
  if (id || !named?.name) return id || undefined;
  const [location, another] = await sites.locationsNamed(db, instance.companyId, named.name);
  ensure(location !== undefined, invalid('location.name: there is no such location in this company'));
  ensure(another === undefined, invalid('location.name: several locations have this name'));
  return location.id;
}

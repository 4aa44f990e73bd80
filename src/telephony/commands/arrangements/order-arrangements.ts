/** Makes, changes and deletes ring groups and numbers from outside, by orders to the PBX. Only the owner may. */
import { ensure } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type {
  Arrangement,
  ArrangementData,
  MadeKind,
  NumberData,
  RingGroupData,
} from '../../model/arrangements/arrangement';
import type { Caller } from '../../model/contacts/contact';
import { groupInUse, groupTaken, noOutsideNumber, noRingGroup, notOwner, outsideNumberTaken } from '../../model/faults';
import type { Ordering } from '../../parts';
import { getInstance } from '../../queries/sites/sites';
import * as arrangements from '../../store/arrangements/arrangements';
import * as extensions from '../../store/extensions/extensions';
import { findPlaced, placeOrder, type OrderOptions, type Placed } from '../extensions/place-order';
import { ensureArrangeable, ensureDestination, ensureMembers, usersOfGroup } from './check-arrangements';

interface Request {
  readonly uuid: string;
  readonly options: OrderOptions;
}

export async function addRingGroup(
  context: Ordering,
  by: Caller,
  { uuid, options, number, data }: Request & { readonly number: number; readonly data: RingGroupData },
): Promise<Placed> {
  const start = await begin(context, by, { uuid, options, kind: 'ring-group' });
  if ('known' in start) return start.known;
  const { instance } = start;
  const isTaken = (await extensions.byNumber(context.mysql, instance.uuid, number)) !== undefined;
  ensure(!isTaken, groupTaken(number));
  await ensureGroup(context, instance.uuid, { number, data });
  return placeCreation(context, by, { ...start, options, kind: 'ring-group', number, data });
}

export async function addOutsideNumber(
  context: Ordering,
  by: Caller,
  { uuid, options, number, data }: Request & { readonly number: number; readonly data: NumberData },
): Promise<Placed> {
  const start = await begin(context, by, { uuid, options, kind: 'number' });
  if ('known' in start) return start.known;
  await ensureDestination(context.mysql, start.instance.uuid, 'destination', data.destination);
  return placeCreation(context, by, { ...start, options, kind: 'number', number, data });
}

type Instance = Awaited<ReturnType<typeof getInstance>>;

/** Returns what the request with this key was answered, or the instance. */
async function begin(
  context: Ordering,
  by: Caller,
  { uuid, options, kind }: Request & { readonly kind: MadeKind },
): Promise<{ readonly known: Placed } | { readonly instance: Instance }> {
  const instance = await getInstance(context.mysql, by, uuid);
  ensure(by.isOwner, notOwner());
  const known = await findPlaced(context, by, options);
  if (known) return { known };
  ensureArrangeable(instance, kind);
  return { instance };
}

interface Creation<Kind extends MadeKind> extends Pick<Arrangement<Kind>, 'kind' | 'number' | 'data'> {
  readonly instance: Instance;
  readonly options: OrderOptions;
}

function placeCreation<Kind extends MadeKind>(
  context: Ordering,
  by: Caller,
  { instance, options, kind, number, data }: Creation<Kind>,
): Promise<Placed> {
  const id = newId();
  return placeOrder(context, by, options, {
    instance: instance.uuid,
    kind: 'create',
    object: kind,
    objectId: id,
    objectNumber: number,
    payload: context.secrets.encrypt(JSON.stringify(data)),
    row: arrangements.reserve(context.mysql, instance, { id, kind, number, data }),
    duplicate: kind === 'number' ? outsideNumberTaken(number) : groupTaken(number),
  });
}

interface Change<Kind extends MadeKind> extends Request {
  readonly id: string;
  readonly change: Partial<ArrangementData[Kind]>;
}

export async function changeRingGroup(
  context: Ordering,
  by: Caller,
  { change, id, ...request }: Change<'ring-group'>,
): Promise<Placed> {
  const start = await begin(context, by, { ...request, kind: 'ring-group' });
  if ('known' in start) return start.known;
  const before = await findMade(context, start.instance.uuid, 'ring-group', id);
  const data = { ...before.data, ...change };
  await ensureGroup(context, before.instance, { number: before.number, data });
  return placeChange(context, by, request.options, { before, change });
}

export async function changeOutsideNumber(
  context: Ordering,
  by: Caller,
  { change, id, ...request }: Change<'number'>,
): Promise<Placed> {
  const start = await begin(context, by, { ...request, kind: 'number' });
  if ('known' in start) return start.known;
  const before = await findMade(context, start.instance.uuid, 'number', id);
  const { destination } = { ...before.data, ...change };
  await ensureDestination(context.mysql, before.instance, 'destination', destination);
  return placeChange(context, by, request.options, { before, change });
}

const placeChange = (
  context: Ordering,
  by: Caller,
  options: OrderOptions,
  { before, change }: { readonly before: Arrangement<MadeKind>; readonly change: object },
): Promise<Placed> =>
  placeOrder(context, by, options, {
    ...orderOf(before),
    kind: 'update',
    payload: context.secrets.encrypt(JSON.stringify(change)),
  });

export async function removeArrangement(
  context: Ordering,
  by: Caller,
  { uuid, options, kind, id }: Request & { readonly kind: MadeKind; readonly id: string },
): Promise<Placed> {
  const start = await begin(context, by, { uuid, options, kind });
  if ('known' in start) return start.known;
  const before = await findMade(context, start.instance.uuid, kind, id);
  const users = kind === 'ring-group' ? await usersOfGroup(context.mysql, before) : [];
  ensure(users.length === 0, groupInUse(users));
  return placeOrder(context, by, options, { ...orderOf(before), kind: 'delete', payload: null });
}

const orderOf = ({ instance, kind, id, number }: Arrangement<MadeKind>) => ({
  instance,
  object: kind,
  objectId: id,
  objectNumber: number,
});

// oxlint-disable-next-line max-params -- where it is, and what it is
async function findMade<Kind extends MadeKind>(
  { mysql }: Storage,
  instance: string,
  kind: Kind,
  id: string,
): Promise<Arrangement<Kind>> {
  const found = await arrangements.byId(mysql, { instance, kind, id });
  if (!found?.isVisible) throw kind === 'number' ? noOutsideNumber() : noRingGroup();
  return found;
}

async function ensureGroup(
  { mysql }: Storage,
  instance: string,
  { number, data }: Pick<Arrangement<'ring-group'>, 'number' | 'data'>,
): Promise<void> {
  await Promise.all([
    ensureMembers(mysql, instance, data.members),
    data.no_answer && ensureDestination(mysql, instance, 'no_answer', data.no_answer, number),
  ]);
}

/** Connects, changes, tests and disconnects far ends of tenants, with an audit entry for each. */
import { ensure, Fault } from '../../kernel/fault';
import type {
  FarEndKeeper,
  FarEndType,
  FieldValues,
  KeeperParts,
  KeptFarEnd,
  Shown,
  TestResult,
} from '../../kernel/far-ends/keeper';
import type { Actor } from '../model/audit';
import { noSuchFarEnd, noSuchFarEndType } from '../model/faults';
import * as audit from '../store/audit';

export interface NewFarEnd {
  readonly tenant: string;
  readonly type: string;
  readonly fields: FieldValues;
}

export async function connect(
  kernel: KeeperParts,
  keeper: FarEndKeeper,
  draft: NewFarEnd,
  by: Actor,
): Promise<{ readonly id: string; readonly shown: Shown }> {
  const type = typeNamed(keeper, draft.type);
  checkFields(type.fields, draft.fields);
  const missing = type.fields.find(({ name, isRequired }) => isRequired && (draft.fields[name] ?? '') === '');
  ensure(missing === undefined, new Fault('invalid', `fields.${missing?.name}: is required`));
  const added = await keeper.add(kernel, draft);
  await note(kernel, by, 'connect', `${draft.tenant} ${keeper.kind} ${draft.type} ${added.id}`);
  return added;
}

export async function reconnect(
  kernel: KeeperParts,
  keeper: FarEndKeeper,
  { id, fields }: { readonly id: string; readonly fields: FieldValues },
  by: Actor,
): Promise<Shown> {
  const before = await getKept(kernel, keeper, id);
  checkFields(typeNamed(keeper, before.type).fields, fields);
  const shown = await keeper.change(kernel, id, fields);
  const after = await getKept(kernel, keeper, id);
  const secrets = Object.entries(fields).filter(([name, value]) => value !== '' && !(name in after.fields));
  const changes = [
    ...Object.entries(after.fields)
      .filter(([name, value]) => value !== before.fields[name])
      .map(([name, value]) => `${name}: ${before.fields[name] || '–'} → ${value || '–'}`),
    ...secrets.map(([name]) => `${name}: ********`),
  ];
  await note(
    kernel,
    by,
    'change',
    `${before.tenant} ${keeper.kind} ${id} ${changes.join('; ').replaceAll('\n', ', ')}`,
  );
  return shown;
}

export async function testFarEnd(
  kernel: KeeperParts,
  keeper: FarEndKeeper,
  { id, fields }: { readonly id: string; readonly fields: FieldValues },
  by: Actor,
): Promise<TestResult> {
  const { tenant } = await getKept(kernel, keeper, id);
  checkFields(keeper.testFields, fields);
  const result = await keeper.test(kernel, id, fields);
  await note(kernel, by, 'test', `${tenant} ${keeper.kind} ${id}`);
  return result;
}

export async function disconnect(kernel: KeeperParts, keeper: FarEndKeeper, id: string, by: Actor): Promise<void> {
  const { tenant, type } = await getKept(kernel, keeper, id);
  await keeper.remove(kernel, id);
  await note(kernel, by, 'disconnect', `${tenant} ${keeper.kind} ${type} ${id}`);
}

export async function getKept(kernel: KeeperParts, keeper: FarEndKeeper, id: string): Promise<KeptFarEnd> {
  const found = await keeper.get(kernel, id);
  ensure(found !== undefined, noSuchFarEnd(keeper.kind, id));
  return found;
}

const note = (kernel: KeeperParts, by: Actor, action: string, target: string): Promise<void> =>
  kernel.transaction((tx) => audit.insert(tx.db, { ...by, action, target, count: null }));

function typeNamed({ types }: FarEndKeeper, name: string): FarEndType {
  const type = types.find((each) => each.type === name);
  ensure(
    type !== undefined,
    noSuchFarEndType(
      name,
      types.map((each) => each.type),
    ),
  );
  return type;
}

function checkFields(known: FarEndType['fields'], given: FieldValues): void {
  const unknown = Object.keys(given).find((name) => !known.some((each) => each.name === name));
  ensure(unknown === undefined, new Fault('invalid', `fields.${unknown}: is not a field of it`));
}

/** Adds and removes operators. */
import { ensure } from '../../kernel/fault';
import { newSecret } from '../../kernel/id';
import type { Storage } from '../../kernel/kernel';
import { ifDuplicate } from '../../kernel/mysql/outcome';
import type { Transact } from '../../kernel/mysql/transaction';
import type { Actor } from '../model/audit';
import { notYourself, operatorNameTaken, type Operator, noSuchOperator } from '../model/operator';
import { listOperators } from '../queries/operators';
import * as audit from '../store/audit';
import * as operators from '../store/operators';

const KEY_LENGTH = 40;

/** Creates an operator account. The key is shown only once. */
export async function addOperator(kernel: Storage, operator: Operator): Promise<{ key: string }> {
  const key = newSecret(KEY_LENGTH);
  await kernel
    .transaction((tx) => operators.insert(tx.db, operator, kernel.secrets.lookup(key)))
    .catch(ifDuplicate(() => operatorNameTaken(operator.name)));
  return { key };
}

export interface OperatorChange {
  readonly name: string;
  readonly by: Actor;
}

/** The same in the console, with an audit entry. */
export async function addColleague(
  kernel: Storage,
  { name, by }: OperatorChange,
  access: Operator['access'],
): Promise<{ key: string }> {
  const made = await addOperator(kernel, { name, access });
  await note(kernel, by, 'operator-add', `${name}: ${access}`);
  return made;
}

/** Takes effect with the next request, also in sessions. Nobody takes away their own rights by mistake. */
export async function changeColleague(
  kernel: Storage,
  { name, by }: OperatorChange,
  access: Operator['access'],
): Promise<void> {
  ensure(name !== by.operator, notYourself());
  const before = await operators.byName(kernel.mysql, name);
  ensure(before !== undefined, noSuchOperator(name));
  await kernel.transaction((tx) => operators.setAccess(tx.db, name, access));
  await note(kernel, by, 'operator-change', `${name}: ${before.access} → ${access}`);
}

/** Replaces the key, and ends the sessions that the old one opened. The new one is shown only once. */
export async function renewKey(kernel: Storage, { name, by }: OperatorChange): Promise<{ key: string }> {
  const key = newSecret(KEY_LENGTH);
  const isThere = await kernel.transaction((tx) => operators.setKey(tx.db, name, kernel.secrets.lookup(key)));
  ensure(isThere, noSuchOperator(name));
  await note(kernel, by, 'operator-key', name);
  return { key };
}

export async function removeColleague(kernel: Storage, { name, by }: OperatorChange): Promise<void> {
  ensure(name !== by.operator, notYourself());
  await removeOperator(kernel.transaction, name);
  await note(kernel, by, 'operator-remove', name);
}

const note = ({ transaction }: Storage, by: Actor, action: string, target: string): Promise<void> =>
  transaction((tx) => audit.insert(tx.db, { ...by, action, target, count: null }));

/** Removes an operator, whose access ends at once. */
export async function removeOperator(transaction: Transact, name: string): Promise<void> {
  ensure(await transaction((tx) => operators.remove(tx.db, name)), noSuchOperator(name));
}

const DEMO_OPERATORS: readonly Operator[] = [
  { name: 'operator', access: 'full' },
  { name: 'viewer', access: 'read' },
];

/** The operators of a development server, who sign in with one click. Resolves to whether there were none yet. */
export async function seedDemo(kernel: Storage): Promise<boolean> {
  if ((await listOperators(kernel.mysql)).length > 0) return false;
  for (const operator of DEMO_OPERATORS) await addOperator(kernel, operator);
  return true;
}

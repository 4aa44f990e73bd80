/** Adds and removes operators. */
import { ensure } from '../../kernel/fault';
import { newSecret } from '../../kernel/id';
import type { Storage } from '../../kernel/kernel';
import { ifDuplicate } from '../../kernel/mysql/outcome';
import type { Transact } from '../../kernel/mysql/transaction';
import { operatorNameTaken, type Operator, noSuchOperator } from '../model/operator';
import { listOperators } from '../queries/operators';
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

/** Creates an operator account. The key is shown only once. */
import { newSecret } from '../../kernel/id';
import type { Kernel } from '../../kernel/kernel';
import { isDuplicate } from '../../kernel/mysql/outcome';
import { operatorNameTaken, type Operator } from '../model/operator';
import * as operators from '../store/operators';

const KEY_LENGTH = 40;

export async function addOperator(kernel: Kernel, operator: Operator): Promise<{ key: string }> {
  const key = newSecret(KEY_LENGTH);
  try {
    await kernel.transaction((tx) => operators.insert(tx.db, operator, kernel.secrets.lookup(key)));
  } catch (error) {
    if (isDuplicate(error)) throw operatorNameTaken(operator.name);
    throw error;
  }
  return { key };
}

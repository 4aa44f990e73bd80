/** Removes an operator, whose access ends at once. */
import { ensure } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import { noSuchOperator } from '../model/operator';
import * as operators from '../store/operators';

export async function removeOperator(kernel: Kernel, name: string): Promise<void> {
  ensure(await kernel.transaction((tx) => operators.remove(tx.db, name)), noSuchOperator(name));
}

/** Creates the operators of a development server, who sign in with one click. Nobody has their keys. */
import type { Kernel } from '../../kernel/kernel';
import type { Operator } from '../model/operator';
import { listOperators } from '../queries/list-operators';
import { addOperator } from './add-operator';

const DEMO_OPERATORS: readonly Operator[] = [
  { name: 'operator', access: 'full' },
  { name: 'viewer', access: 'read' },
];

/** Resolves to whether there were none yet. */
export async function seedDemo(kernel: Kernel): Promise<boolean> {
  if ((await listOperators(kernel)).length > 0) return false;
  for (const operator of DEMO_OPERATORS) await addOperator(kernel, operator);
  return true;
}

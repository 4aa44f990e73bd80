/** Lists all operators. */
import type { Kernel } from '../../kernel/kernel';
import * as operators from '../store/operators';

export const listOperators = (kernel: Kernel): Promise<operators.KnownOperator[]> => operators.list(kernel.mysql);

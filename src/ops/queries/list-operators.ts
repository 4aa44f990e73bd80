/** Everybody who runs the server. */
import type { Kernel } from '../../kernel/kernel';
import * as operators from '../store/operators';

export const listOperators = (kernel: Kernel): Promise<operators.KnownOperator[]> => operators.list(kernel.mysql);

/** Remembers what an operator did where that is no transaction of its own. */
import type { Kernel } from '../../kernel/kernel';
import type { Deed } from '../model/audit';
import * as audit from '../store/audit';

export const noteDeed = (kernel: Kernel, deed: Deed): Promise<void> =>
  kernel.transaction((tx) => audit.insert(tx.db, deed));

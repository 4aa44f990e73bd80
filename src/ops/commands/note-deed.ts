/** Writes an audit entry in its own transaction, for deeds that have none. */
import type { Kernel } from '../../kernel/kernel';
import type { Deed } from '../model/audit';
import * as audit from '../store/audit';

export const noteDeed = (kernel: Kernel, deed: Deed): Promise<void> =>
  kernel.transaction((tx) => audit.insert(tx.db, deed));

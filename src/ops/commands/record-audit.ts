/** Writes an audit entry in its own transaction, for actions that have none. */
import type { Kernel } from '../../kernel/kernel';
import type { AuditRecord } from '../model/audit';
import * as audit from '../store/audit';

export const recordAudit = (kernel: Kernel, record: AuditRecord): Promise<void> =>
  kernel.transaction((tx) => audit.insert(tx.db, record));

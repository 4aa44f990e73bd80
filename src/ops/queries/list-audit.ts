/** Lists the operators' audit trail, newest first. */
import type { Kernel } from '../../kernel/kernel';
import type { AuditEntry } from '../model/audit';
import * as audit from '../store/audit';

export const listAudit = ({ mysql }: Kernel, limit: number, before?: number): Promise<AuditEntry[]> =>
  audit.list(mysql, limit, before);

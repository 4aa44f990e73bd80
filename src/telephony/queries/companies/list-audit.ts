/** Lists the audit trail, for the owner. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import type { Listed, Page } from '../../model/paging';
import * as audit from '../../store/companies/audit';

export async function listAudit(
  { mysql }: Kernel,
  by: Caller,
  query: { filter: audit.AuditFilter; page: Page },
): Promise<Listed<object>> {
  ensure(by.isOwner, notOwner());
  const [total, lines] = await Promise.all([audit.count(mysql, by, query.filter), audit.list(mysql, by, query)]);
  return { total, items: lines.map((line) => ({ ...line, detail: JSON.parse(line.detail) as object })) };
}

/** Enforces the limit that operators may set on a company's number of users. */
import { ensure } from '../../../kernel/fault';
import { limitOf } from '../../../kernel/mysql/tenant-limits';
import type { Tx } from '../../../kernel/mysql/transaction';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import { companyFull } from '../../model/faults';
import * as companies from '../../store/companies/companies';
import { countPeople } from '../../store/companies/company-sizes';

export async function ensureRoom(db: Tx['db'], companyId: CompanyId): Promise<void> {
  const most = await limitOf(db, companyTenant(companyId), 'people');
  if (most === null) return;
  // Locked, so that concurrent additions are counted one after the other.
  await companies.lock(db, companyId);
  ensure((await countPeople(db, companyId)) < most, companyFull(most));
}

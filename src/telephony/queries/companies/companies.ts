/** Companies: one, all of them, their numbers and the audit trail. */
import type { Database } from '../../../kernel/mysql/pool';
import type { CompanyId } from '../../model/companies/company';
import * as companies from '../../store/companies/companies';
import type { Caller } from '../../model/contacts/contact';
import { invalidKey, notOwner } from '../../model/faults';
import { companyObject } from '../../model/wire';
import { ensure } from '../../../kernel/fault';
import type { Listed, Listing } from '../../model/paging';
import * as audit from '../../store/companies/audit';
import * as sites from '../../store/sites/sites';
import * as textNumbers from '../../store/texting/text-numbers';

const isId = (text: string): text is CompanyId => /^[0-9a-f]{24}$/.test(text);

export async function findCompany(db: Database, idOrName: string): Promise<CompanyId | undefined> {
  const company = isId(idOrName) ? await companies.byId(db, idOrName) : undefined;
  return company?.id ?? companies.idByName(db, idOrName);
}

export { count as countCompanies, list as listCompanies } from '../../store/companies/companies';

export async function getCompany(db: Database, by: Caller): Promise<Record<string, unknown>> {
  const { company, contacts: employees } = await companies.withContacts(db, by.companyId);
  // Deleted since the key was checked.
  if (!company) throw invalidKey();
  return companyObject(company, employees);
}

/** Lists the audit trail, for the owner. */
export async function listAudit(db: Database, by: Caller, query: Listing<audit.AuditFilter>): Promise<Listed<object>> {
  ensure(by.isOwner, notOwner());
  const { total, items } = await audit.list(db, by, query);
  return { total, items: items.map((line) => ({ ...line, detail: JSON.parse(line.detail) as object })) };
}

export interface CompanyNumber {
  readonly number: string;
  /** What it is the number of. */
  readonly name: string;
}

/** As they are written. The same number may be there twice; the last name is the most telling. */
export async function companyNumbers(db: Database, companyId: CompanyId): Promise<CompanyNumber[]> {
  const [company, locations, texting] = await Promise.all([
    companies.byId(db, companyId),
    sites.listLocations(db, companyId),
    textNumbers.list(db, companyId),
  ]);
  const name = company?.name ?? '';
  const all = [
    ...texting.map(({ e164, label }) => ({ number: e164, name: label || name })),
    ...locations.flatMap((location) =>
      [location.details.callerid, location.details.phone].map((number) => ({ number, name: location.name })),
    ),
    { number: company?.details.phone ?? '', name },
  ];
  return all.filter(({ number }) => number !== '');
}

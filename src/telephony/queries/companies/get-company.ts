/** Returns the caller's company. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { invalidKey } from '../../model/faults';
import { companyObject } from '../../model/wire';
import * as companies from '../../store/companies/companies';
import * as contacts from '../../store/contacts/contacts';

export async function getCompany(kernel: Kernel, by: Caller): Promise<Record<string, unknown>> {
  const [company, employees] = await Promise.all([
    companies.byId(kernel.mysql, by.companyId),
    contacts.count(kernel.mysql, by.companyId),
  ]);
  // Deleted since the key was checked.
  if (!company) throw invalidKey();
  return companyObject(company, employees);
}

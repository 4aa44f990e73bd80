/** Finds a company by id or, failing that, by name. */
import type { Kernel } from '../../../kernel/kernel';
import type { CompanyId } from '../../model/companies/company';
import * as companies from '../../store/companies/companies';

const isId = (text: string): text is CompanyId => /^[0-9a-f]{24}$/.test(text);

export async function findCompany(kernel: Kernel, idOrName: string): Promise<CompanyId | undefined> {
  const company = isId(idOrName) ? await companies.byId(kernel.mysql, idOrName) : undefined;
  return company?.id ?? companies.idByName(kernel.mysql, idOrName);
}

/** Finds the telephone numbers that belong to a company. */
import type { Kernel } from '../../../kernel/kernel';
import type { CompanyId } from '../../model/companies/company';
import * as companies from '../../store/companies/companies';
import * as sites from '../../store/sites/sites';
import * as textNumbers from '../../store/texting/text-numbers';

export interface CompanyNumber {
  readonly number: string;
  /** What it is the number of. */
  readonly name: string;
}

/** As they are written. The same number may be there twice; the last name is the most telling. */
export async function companyNumbers({ mysql }: Pick<Kernel, 'mysql'>, companyId: CompanyId): Promise<CompanyNumber[]> {
  const [company, locations, texting] = await Promise.all([
    companies.byId(mysql, companyId),
    sites.listLocations(mysql, companyId),
    textNumbers.list(mysql, companyId),
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

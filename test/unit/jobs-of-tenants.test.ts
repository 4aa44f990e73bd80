import type { JobDefinition } from '../../src/kernel/jobs/job';
import * as telephonyJobs from '../../src/telephony/jobs';
import { companyTenant, type CompanyId } from '../../src/telephony/model/companies/company';

type Named = JobDefinition<{ companyId: CompanyId }, unknown>;

/** Work that looks for other work is nobody's. Mailboxes are no jobs of a product: each has a desk of its own. */
const OF_NOBODY = /sweep|-all$/;

const definitions = (jobs: object): Named[] => (Object.values(jobs) as Named[]).filter((each) => 'attempts' in each);
const companyId = 'c7' as CompanyId;

test('Every job of telephony that is a tenant’s says whose it is', () => {
  const owned = definitions(telephonyJobs).filter(({ name }) => !OF_NOBODY.test(name));
  expect(owned).not.toEqual([]);
  for (const { name, whose } of owned) expect([name, whose?.({ companyId })]).toEqual([name, companyTenant(companyId)]);
});

import * as chatJobs from '../../src/chat/jobs';
import { realmTenant, type RealmId } from '../../src/chat/model/organisation/realm';
import type { JobDefinition } from '../../src/kernel/jobs/job';
import * as telephonyJobs from '../../src/telephony/jobs';
import { companyTenant, type CompanyId } from '../../src/telephony/model/companies/company';

type Named = JobDefinition<{ realmId: RealmId; companyId: CompanyId }, unknown>;

/** Work that looks for other work is nobody's. Mailboxes are no jobs of a product: each has a desk of its own. */
const OF_NOBODY = /sweep|-all$/;

const definitions = (jobs: object): Named[] => (Object.values(jobs) as Named[]).filter((each) => 'attempts' in each);
const ids = { realmId: 7 as RealmId, companyId: 'c7' as CompanyId };

test.each([
  ['chat', definitions(chatJobs), realmTenant(ids.realmId)],
  ['telephony', definitions(telephonyJobs), companyTenant(ids.companyId)],
])('Every job of %s that is a tenant’s says whose it is', (_, jobs, tenant) => {
  const owned = jobs.filter(({ name }) => !OF_NOBODY.test(name));
  expect(owned).not.toEqual([]);
  for (const { name, whose } of owned) expect([name, whose?.(ids)]).toEqual([name, tenant]);
});

/** The PBXs, carrier accounts and webhooks of all companies, as operators see them. */
import type { FarEnd } from '../../../kernel/far-ends/far-end';
import type { Database } from '../../../kernel/mysql/pool';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import * as farEnds from '../../store/sites/far-ends';

interface Owned {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly companyName: string;
}

const ownedBy = ({ id, companyId, companyName }: Owned) => ({
  id,
  tenant: companyTenant(companyId),
  tenantName: companyName,
});

export async function listFarEnds(db: Database, ids?: readonly string[]): Promise<FarEnd[]> {
  const [pbxs, accounts, webhooks] = await Promise.all([
    farEnds.pbxs(db, ids),
    farEnds.carrierAccounts(db, ids),
    farEnds.webhooks(db, ids),
  ]);
  return [
    ...pbxs.map((pbx) => ({
      ...ownedBy(pbx),
      kind: 'pbx' as const,
      name: `${pbx.location} (${pbx.backend}, ${hostOf(pbx.address)})`,
      work: { workQueue: 'pbx', subject: pbx.id },
    })),
    ...accounts.map((account) => ({
      ...ownedBy(account),
      kind: 'carrier' as const,
      name: account.number === null ? account.carrier : `${account.carrier} (${account.number})`,
      // Texts wait at their conversations.
      work: { workQueue: 'texting-outbound', subject: '' },
    })),
    ...webhooks.map((webhook) => ({
      ...ownedBy(webhook),
      kind: 'webhook' as const,
      // The rest of the address may contain a secret.
      name: hostOf(webhook.url),
      work: { workQueue: 'company-webhooks', subject: hostOf(webhook.url) },
    })),
  ];
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

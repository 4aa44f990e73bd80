/** Tenant administration for companies: what operators can list, add, suspend and limit. */
import { Fault } from '../../../kernel/fault';
import { searchableId } from '../../../kernel/id';
import type { TenantKeeper, TenantLine } from '../../../kernel/tenants';
import { accessChanged } from '../../model/companies/key';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import * as companies from '../../store/companies/companies';
import * as sessions from '../../store/portal/sessions';
import { createCompany } from './change-companies';

const isEmail = (text: string): boolean => /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text);

export const companyKeeper: TenantKeeper = {
  kind: 'company',
  fields: ['owner_email'],
  limits: ['people'],
  async list({ mysql }, { after, ...wanted }) {
    const begins = after === undefined ? undefined : searchableId(after);
    return (await companies.listSizes(mysql, { ...wanted, after: begins })).map(lineOf);
  },
  async get({ mysql }, id) {
    const [found] = await companies.listSizes(mysql, { id: searchableId(id), limit: 1 });
    return found && lineOf(found);
  },
  async add(kernel, name, { owner_email: email = '' }) {
    if (!isEmail(email)) throw new Fault('invalid', 'owner_email: must be an email address');
    const owner = { email, firstName: email.split('@')[0]!, lastName: '' };
    const { id, key } = await createCompany(kernel, { name, email, owner });
    return { id, tenant: companyTenant(id), key };
  },
  /** While a company is inactive, its keys are refused and its sessions end. Its PBXs and carriers keep working. */
  async setActive(tx, id, isActive) {
    const companyId = id as CompanyId;
    await companies.lock(tx.db, companyId);
    await companies.setActive(tx.db, companyId, isActive);
    if (!isActive) await sessions.removeOfCompany(tx.db, companyId);
    tx.deliver(accessChanged(companyId));
  },
};

const lineOf = (size: companies.CompanySize): TenantLine => ({
  id: size.id,
  tenant: companyTenant(size.id),
  name: size.name,
  address: '',
  isActive: size.isActive,
  createdAt: size.createdAt,
  lastActiveAt: size.lastEnteredAt,
  sizes: { people: size.people, extensions: size.extensions, conversations: size.conversations },
});

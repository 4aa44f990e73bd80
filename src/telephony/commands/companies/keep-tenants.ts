/** Tenant administration for companies: what operators can list, add, suspend and limit. */
import { Fault } from '../../../kernel/fault';
import { searchableId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { mailModeOf, type MailerSettings } from '../../../kernel/mail/mailer';
import type { OwnerInvitation, TenantKeeper, TenantLine } from '../../../kernel/tenants';
import { accessChanged } from '../../model/companies/key';
import { companyIdOf, companyTenant, type CompanyId } from '../../model/companies/company';
import { telephonyWords } from '../../model/texts/telephony-words';
import * as companies from '../../store/companies/companies';
import * as sessions from '../../store/portal/sessions';
import { inviteToPortal } from '../portal/entry-links';
import { mailOwnersInvitation } from '../portal/mail-entry-links';
import { createCompany } from './change-companies';

const isEmail = (text: string): boolean => /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text);

interface Inviting extends MailerSettings {
  readonly publicUrl: string;
}

export const companyKeeper = (settings: Inviting): TenantKeeper => ({
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
  async names({ mysql }, tenants) {
    const ids = tenants.flatMap((tenant) => companyIdOf(tenant) ?? []);
    const found = await companies.named(mysql, ids);
    return new Map(found.map(({ id, name }) => [companyTenant(id), name]));
  },
  async add(kernel, { name, fields: { owner_email: email = '' }, language }) {
    if (!isEmail(email)) throw new Fault('invalid', 'owner_email: must be an email address');
    const owner = { email, firstName: email.split('@')[0]!, lastName: '' };
    const { id, key } = await createCompany(kernel, { name, email, owner });
    return { id, tenant: companyTenant(id), key, invitation: await inviteOwner(kernel, settings, { id, language }) };
  },
  invite: (kernel, id, language) => inviteOwner(kernel, settings, { id: id as CompanyId, language }),
  /** While a company is inactive, its keys are refused and its sessions end. Its PBXs and carriers keep working. */
  async setActive(tx, id, isActive) {
    const companyId = id as CompanyId;
    await companies.lock(tx.db, companyId);
    await companies.setActive(tx.db, companyId, isActive);
    if (!isActive) await sessions.removeOfCompany(tx.db, companyId);
    tx.deliver(accessChanged(companyId));
  },
});

/** By mail if the server sends any, else by a link that the operator hands over. */
async function inviteOwner(
  kernel: Storage,
  settings: Inviting,
  { id, language }: { readonly id: CompanyId; readonly language: string },
): Promise<OwnerInvitation> {
  if (mailModeOf(settings) === 'off') {
    const { contact, link } = await inviteToPortal(kernel, { companyId: id, email: undefined }, settings.publicUrl);
    return { email: contact.workEmail, link };
  }
  return { email: await mailOwnersInvitation(kernel, id, telephonyWords(language).language), link: null };
}

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

/** Changes a company's name and details. Only its owner may. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { CompanyDetails } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { companyNameTaken, invalidKey, notOwner } from '../../model/faults';
import { changedFields, checkNewEmail, merge, type Part } from '../../model/fields';
import { companyObject } from '../../model/wire';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as contacts from '../../store/contacts/contacts';

export type CompanyChange = Part<CompanyDetails> & { readonly name?: string | undefined };

export async function updateCompany(kernel: Kernel, by: Caller, change: CompanyChange): Promise<object> {
  ensure(by.isOwner, notOwner());
  const { name, ...details } = change;
  try {
    return await kernel.transaction(async ({ db }) => {
      await companies.lock(db, by.companyId);
      const before = await companies.byId(db, by.companyId);
      if (!before) throw invalidKey();
      checkNewEmail('email', details.email, before.details.email);
      checkNewEmail('billing_email', details.billing_email, before.details.billing_email);
      const company = { ...before, name: name ?? before.name, details: merge(before.details, details) };
      await companies.update(db, company);
      await audit.record(db, by, {
        action: 'company.update',
        object: by.companyId,
        detail: { fields: changedFields(change) },
      });
      const after = (await companies.byId(db, by.companyId)) ?? company;
      return companyObject(after, await contacts.count(db, by.companyId));
    });
  } catch (error) {
    if (isDuplicate(error)) throw companyNameTaken(name ?? '');
    throw error;
  }
}

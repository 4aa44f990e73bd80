/** Creates and changes companies, replaces their API keys, and records who enters them. */
import { ensure } from '../../../kernel/fault';
import { newId, newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Transact } from '../../../kernel/mysql/transaction';
import { changesBetween } from '../../model/changes';
import { accessChanged } from '../../model/companies/key';
import { KEY_LENGTH, noDetails, type CompanyId, type CompanyDetails } from '../../model/companies/company';
import type { ContactId, Caller } from '../../model/contacts/contact';
import { companyNameTaken, invalidKey, notOwner, existing } from '../../model/faults';
import { checkNewEmail, changedFields, merge, type Part } from '../../model/fields';
import { companyObject } from '../../model/wire';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as keys from '../../store/companies/keys';
import * as contacts from '../../store/contacts/contacts';
import * as sessions from '../../store/portal/sessions';
import * as sites from '../../store/sites/sites';

export interface CompanyDraft {
  readonly name: string;
  readonly email: string;
  readonly owner: { readonly email: string; readonly firstName: string; readonly lastName: string };
  /** Set only for demo data; otherwise generated. */
  readonly key?: string;
}

export interface CompanyMade {
  readonly id: CompanyId;
  readonly key: string;
  readonly ownerId: ContactId;
  readonly locationId: string;
}

/** Creates a company with its first API key, owner and location, in one transaction. */
export async function createCompany(kernel: Storage, draft: CompanyDraft): Promise<CompanyMade> {
  checkNewEmail('owner_email', draft.owner.email);
  checkNewEmail('email', draft.email);
  const id = newId() as CompanyId;
  const ownerId = newId() as ContactId;
  const locationId = newId();
  const key = draft.key ?? newSecret(KEY_LENGTH);
  await kernel
    .transaction(async ({ db }) => {
      await companies.insert(db, { id, name: draft.name, details: { ...noDetails, email: draft.email } });
      await keys.insert(db, id, kernel.secrets.lookup(key));
      const { email: workEmail, firstName, lastName } = draft.owner;
      await contacts.insert(db, { id: ownerId, companyId: id, isPrimary: true, workEmail, firstName, lastName });
      await sites.insertLocation(db, { id: locationId, companyId: id, name: 'Main office' });
    })
    .catch(ifDuplicate(() => companyNameTaken(draft.name)));
  return { id, key, ownerId, locationId };
}

export type CompanyChange = Part<CompanyDetails> & { readonly name?: string | undefined };

/** Changes a company's name and details. Only its owner may. */
export async function updateCompany(transaction: Transact, by: Caller, change: CompanyChange): Promise<object> {
  ensure(by.isOwner, notOwner());
  const { name, ...details } = change;
  return transaction(async ({ db }) => {
    await companies.lock(db, by.companyId);
    const before = existing(await companies.byId(db, by.companyId), invalidKey);
    checkNewEmail('email', details.email, before.details.email);
    checkNewEmail('billing_email', details.billing_email, before.details.billing_email);
    const company = { ...before, name: name ?? before.name, details: merge(before.details, details) };
    await companies.update(db, company);
    await audit.record(db, by, {
      action: 'company.update',
      object: by.companyId,
      detail: {
        fields: changedFields(change),
        changes: changesBetween({ name: before.name, ...before.details }, { name: company.name, ...company.details }),
      },
    });
    const after = (await companies.byId(db, by.companyId)) ?? company;
    return companyObject(after, await contacts.count(db, by.companyId));
  }).catch(ifDuplicate(() => companyNameTaken(name ?? '')));
}

/** Replaces all API keys of a company with a new one. The new key is shown only once. */
export async function rotateKey(kernel: Storage, companyId: CompanyId): Promise<string> {
  const key = newSecret(KEY_LENGTH);
  await kernel.transaction(async (tx) => {
    const { db } = tx;
    // Locked, because two concurrent rotations would each leave a key.
    await companies.lock(db, companyId);
    await sessions.removeOfKeys(db, await keys.hashesOf(db, companyId));
    await keys.removeAll(db, companyId);
    await keys.insert(db, companyId, kernel.secrets.lookup(key));
    tx.deliver(accessChanged(companyId));
  });
  return key;
}

/** Records a user's login time. Runs in its own transaction, which is retried if it deadlocks on the row. */
export function enterCompany(transaction: Transact, by: Caller): Promise<void> {
  return transaction(({ db }) => contacts.entered(db, by.contactId));
}

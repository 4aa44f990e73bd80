/** Changes a user's record: their own, or anyone's for the owner. Only the owner may enable or disable users. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import { accessChanged } from '../../model/companies/access';
import { userText, type Caller, type Contact, type ContactDetails } from '../../model/contacts/contact';
import { emailTaken, forbidden, noContact, notYours } from '../../model/faults';
import { changedFields, checkNewEmail, merge, type Part } from '../../model/fields';
import { contactObject } from '../../model/wire';
import * as audit from '../../store/companies/audit';
import * as contacts from '../../store/contacts/contacts';
import * as extensions from '../../store/extensions/extensions';
import * as sessions from '../../store/portal/sessions';
import { ensureUser } from './find-user';

export interface ContactChange {
  readonly workEmail?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly isActivated?: boolean | undefined;
  readonly details: Part<ContactDetails>;
}

export async function updateContact(kernel: Kernel, by: Caller, id: string, change: ContactChange): Promise<object> {
  try {
    return await kernel.transaction(async (tx) => {
      const { db } = tx;
      const before = await contacts.lock(db, by.companyId, id);
      if (!before) throw noContact();
      ensure(by.isOwner || by.contactId === before.id, notYours('user'));
      checkNewEmail('work_email', change.workEmail, before.workEmail);
      checkNewEmail('contacts.email', change.details.contacts?.email, before.details.contacts.email);
      const contact = changed(before, change, by);
      const agent = { field: 'primary_agent', id: change.details.primary_agent, before: before.details.primary_agent };
      await ensureUser(db, by.companyId, agent);
      await contacts.update(db, contact);
      if (before.isActivated && !contact.isActivated) {
        // A user who is enabled again must sign in again.
        await sessions.removeAllOf(db, contact.id);
        tx.deliver(accessChanged(by.companyId));
      }
      if (userText(contact) !== userText(before)) await extensions.renameUser(db, contact.id, userText(contact));
      const fields = changedFields(wireOf(change));
      await audit.record(db, by, { action: 'contact.update', object: id, detail: { fields } });
      const after = (await contacts.byId(db, by.companyId, id)) ?? contact;
      const briefs = await extensions.briefs(db, [after.id]);
      return contactObject(after, briefs.get(after.id) ?? null, kernel.clock.now());
    });
  } catch (error) {
    if (isDuplicate(error)) throw emailTaken(change.workEmail ?? '');
    throw error;
  }
}

const wireOf = ({ workEmail, firstName, lastName, isActivated, details }: ContactChange) => ({
  ...details,
  work_email: workEmail,
  first_name: firstName,
  last_name: lastName,
  activated: isActivated,
});

function changed(before: Contact, change: ContactChange, by: Caller): Contact {
  const isActivated = by.isOwner ? (change.isActivated ?? before.isActivated) : before.isActivated;
  ensure(isActivated || !before.isPrimary, forbidden('The primary user cannot be disabled'));
  return {
    ...before,
    workEmail: change.workEmail ?? before.workEmail,
    firstName: change.firstName ?? before.firstName,
    lastName: change.lastName ?? before.lastName,
    isActivated,
    details: merge(before.details, change.details),
  };
}

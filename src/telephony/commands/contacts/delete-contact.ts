/** Deletes a user. Their extensions stay and become unassigned. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { accessChanged } from '../../model/companies/access';
import type { Caller } from '../../model/contacts/contact';
import { forbidden, noContact, notOwner } from '../../model/faults';
import { contactObject } from '../../model/wire';
import * as audit from '../../store/companies/audit';
import * as contacts from '../../store/contacts/contacts';
import * as extensions from '../../store/extensions/extensions';
import * as views from '../../store/texting/conversation-views';

export function deleteContact(kernel: Kernel, by: Caller, id: string): Promise<object> {
  ensure(by.isOwner, notOwner());
  return kernel.transaction(async (tx) => {
    const { db } = tx;
    const contact = await contacts.lock(db, by.companyId, id);
    if (!contact) throw noContact();
    ensure(!contact.isPrimary, forbidden('The primary user owns the company and cannot be deleted'));
    const briefs = await extensions.briefs(db, [contact.id]);
    await extensions.unassign(db, contact.id);
    await views.forget(db, contact.id);
    await contacts.remove(db, contact.id);
    tx.deliver(accessChanged(by.companyId));
    await audit.record(db, by, { action: 'contact.delete', object: id, detail: { work_email: contact.workEmail } });
    return contactObject(contact, briefs.get(contact.id) ?? null, kernel.clock.now());
  });
}

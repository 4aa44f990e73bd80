/** Adds a user to a company and creates an invitation, whose token is shown to the owner only once. */
import { ensure } from '../../../kernel/fault';
import { newId, newSecret } from '../../../kernel/id';
import type { Kernel } from '../../../kernel/kernel';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import { KEY_LENGTH } from '../../model/companies/company';
import {
  INVITATION_MS,
  noContactDetails,
  type Caller,
  type ContactDetails,
  type ContactId,
} from '../../model/contacts/contact';
import { emailTaken, noContact, notOwner } from '../../model/faults';
import { checkNewEmail, merge, type Part } from '../../model/fields';
import { contactObject } from '../../model/wire';
import * as audit from '../../store/companies/audit';
import * as contacts from '../../store/contacts/contacts';
import { ensureRoom } from './ensure-room';
import { ensureUser } from './find-user';

export interface ContactDraft {
  readonly workEmail: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly isActivated: boolean;
  readonly details: Part<ContactDetails>;
}

export async function createContact(kernel: Kernel, by: Caller, draft: ContactDraft): Promise<object> {
  ensure(by.isOwner, notOwner());
  const { details, ...names } = draft;
  checkNewEmail('work_email', names.workEmail);
  checkNewEmail('contacts.email', details.contacts?.email);
  const id = newId() as ContactId;
  const token = newSecret(KEY_LENGTH);
  const invitation = { hash: kernel.secrets.lookup(token), lastsMs: INVITATION_MS };
  const contact = { id, companyId: by.companyId, isPrimary: false, ...names };
  try {
    return await kernel.transaction(async ({ db }) => {
      await ensureUser(db, by.companyId, { field: 'primary_agent', id: details.primary_agent });
      await ensureRoom(db, by.companyId);
      await contacts.insert(db, { ...contact, details: merge(noContactDetails, details), invitation });
      await audit.record(db, by, { action: 'contact.create', object: id, detail: { work_email: draft.workEmail } });
      const made = await contacts.byId(db, by.companyId, id);
      if (!made) throw noContact();
      const object = contactObject(made, null, kernel.clock.now());
      return { ...object, invitation: { ...(object['invitation'] as object), token } };
    });
  } catch (error) {
    if (isDuplicate(error)) throw emailTaken(draft.workEmail);
    throw error;
  }
}

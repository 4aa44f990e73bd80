/** Adds, invites, changes and deletes the users of a company. Most of it only the owner may. */
import { ensure } from '../../../kernel/fault';
import { newId, newSecret } from '../../../kernel/id';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import { limitOf } from '../../../kernel/mysql/tenant-limits';
import type { Database } from '../../../kernel/mysql/pool';
import { changesBetween } from '../../model/changes';
import { KEY_LENGTH, companyTenant, type CompanyId } from '../../model/companies/company';
import { accessChanged } from '../../model/companies/key';
import type { WireContact } from '../../model/answers/company';
import {
  INVITATION_MS,
  invitationStatus,
  noContactDetails,
  userText,
  type Caller,
  type Contact,
  type ContactDetails,
  type ContactId,
  type ContactNames,
} from '../../model/contacts/contact';
import * as faults from '../../model/faults';
import { existing, invalid, noContact, noInvitation, notOwner } from '../../model/faults';
import { checkNewEmail, merge, type Part, changedFields } from '../../model/fields';
import { contactObject } from '../../model/wire';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as contacts from '../../store/contacts/contacts';
import * as extensions from '../../store/extensions/extensions';
import * as sessions from '../../store/portal/sessions';
import * as views from '../../store/texting/conversation-views';

export interface ContactDraft extends ContactNames {
  readonly isActivated: boolean;
  readonly details: Part<ContactDetails>;
}

/** Adds a user to a company and creates an invitation, whose token is shown to the owner only once. */
export async function createContact(kernel: Storage, by: Caller, draft: ContactDraft): Promise<object> {
  ensure(by.isOwner, notOwner());
  const { details, ...names } = draft;
  checkNewEmail('work_email', names.workEmail);
  checkNewEmail('contacts.email', details.contacts?.email);
  const id = newId() as ContactId;
  const token = newSecret(KEY_LENGTH);
  const invitation = { hash: kernel.secrets.lookup(token), lastsMs: INVITATION_MS };
  const contact = { id, companyId: by.companyId, isPrimary: false, ...names };
  return kernel
    .transaction(async ({ db }) => {
      await ensureUser(db, by.companyId, { field: 'primary_agent', id: details.primary_agent });
      await ensureRoom(db, by.companyId);
      await contacts.insert(db, { ...contact, details: merge(noContactDetails, details), invitation });
      await audit.record(db, by, { action: 'contact.create', object: id, detail: { work_email: draft.workEmail } });
      const made = existing(await contacts.byId(db, by.companyId, id), noContact);
      return withToken(contactObject(made, null, kernel.clock.now()), token);
    })
    .catch(ifDuplicate(() => faults.emailTaken(draft.workEmail)));
}

const withToken = (contact: WireContact, token: string): object => ({
  ...contact,
  invitation: { ...contact.invitation, token },
});

async function ensureRoom(db: Database, companyId: CompanyId): Promise<void> {
  const most = await limitOf(db, companyTenant(companyId), 'people');
  if (most === null) return;
  // Locked, so that concurrent additions are counted one after the other.
  await companies.lock(db, companyId);
  ensure((await contacts.count(db, companyId)) < most, faults.companyFull(most));
}

export type ContactChange = Part<Omit<ContactDraft, 'details'>> & Pick<ContactDraft, 'details'>;

/** Changes a user's record: their own, or anyone's for the owner. Only the owner may enable or disable users. */
export async function updateContact(kernel: Storage, by: Caller, id: string, change: ContactChange): Promise<object> {
  return kernel
    .transaction(async (tx) => {
      const { db } = tx;
      const before = existing(await contacts.lock(db, by.companyId, id), noContact);
      ensure(by.isOwner || by.contactId === before.id, faults.notYours('user'));
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
      const changes = changesBetween(wireOf(before), wireOf(contact));
      await audit.record(db, by, { action: 'contact.update', object: id, detail: { fields, changes } });
      const after = (await contacts.byId(db, by.companyId, id)) ?? contact;
      const briefs = await extensions.briefs(db, [after.id]);
      return contactObject(after, briefs.get(after.id) ?? null, kernel.clock.now());
    })
    .catch(ifDuplicate(() => faults.emailTaken(change.workEmail ?? '')));
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
  ensure(isActivated || !before.isPrimary, faults.forbidden('The primary user cannot be disabled'));
  return {
    ...before,
    workEmail: change.workEmail ?? before.workEmail,
    firstName: change.firstName ?? before.firstName,
    lastName: change.lastName ?? before.lastName,
    isActivated,
    details: merge(before.details, change.details),
  };
}

/** Deletes a user. Their extensions stay and become unassigned. */
export function deleteContact(kernel: Storage, by: Caller, id: string): Promise<object> {
  ensure(by.isOwner, notOwner());
  return kernel.transaction(async (tx) => {
    const { db } = tx;
    const contact = existing(await contacts.lock(db, by.companyId, id), noContact);
    ensure(!contact.isPrimary, faults.forbidden('The primary user owns the company and cannot be deleted'));
    const briefs = await extensions.briefs(db, [contact.id]);
    await extensions.unassign(db, contact.id);
    await views.forget(db, contact.id);
    await contacts.remove(db, contact.id);
    tx.deliver(accessChanged(by.companyId));
    await audit.record(db, by, { action: 'contact.delete', object: id, detail: { work_email: contact.workEmail } });
    return contactObject(contact, briefs.get(contact.id) ?? null, kernel.clock.now());
  });
}

/** Renews an invitation. */
export function inviteContact(kernel: Storage, by: Caller, id: string): Promise<object> {
  ensure(by.isOwner, notOwner());
  const token = newSecret(KEY_LENGTH);
  return kernel.transaction(async ({ db }) => {
    const contact = existing(await contacts.lock(db, by.companyId, id), noContact);
    ensure(contact.invitation.acceptedAt === null, invalid('This user has accepted already'));
    await contacts.invite(db, contact.id, { hash: kernel.secrets.lookup(token), lastsMs: INVITATION_MS });
    await audit.record(db, by, { action: 'contact.invite', object: id });
    const after = (await contacts.byId(db, by.companyId, id)) ?? contact;
    return withToken(contactObject(after, null, kernel.clock.now()), token);
  });
}

/** Accepts an invitation. Needs no other credentials: the token is the proof. */
export async function acceptInvitation(
  kernel: Storage & Pick<Kernel, 'keys'>,
  token: string,
  from: string,
): Promise<object> {
  const hash = kernel.secrets.lookup(token);
  const shown = { keyHash: hash, from };
  if (!(await kernel.keys.find(shown, () => contacts.invited(kernel.mysql, hash)))) throw noInvitation();
  return kernel.transaction(async ({ db }) => {
    const contact = existing(await contacts.lockInvited(db, hash), noInvitation);
    const now = kernel.clock.now();
    ensure(invitationStatus(contact.invitation, now) === 'pending', faults.invitationExpired());
    await contacts.accept(db, contact.id);
    const by = { companyId: contact.companyId, contactId: contact.id, from };
    await audit.record(db, by, { action: 'contact.accept', object: contact.id });
    const after = (await contacts.byId(db, contact.companyId, contact.id)) ?? contact;
    return contactObject(after, null, now);
  });
}

/** Finds the user that a body field names. Refuses the body if the user is not in the same company. */
export async function findUser(
  db: Database,
  companyId: CompanyId,
  { field, id }: { readonly field: string; readonly id: string },
): Promise<Contact> {
  const missing = () => invalid(`${field}: there is no such user in this company`);
  return existing(await contacts.byId(db, companyId, id), missing);
}

/** Accepts an empty id, and the previous id even if that user has been deleted since. */
export async function ensureUser(
  db: Database,
  companyId: CompanyId,
  { field, id, before = '' }: { field: string; id: string | undefined; before?: string },
): Promise<void> {
  if (id && id !== before) await findUser(db, companyId, { field, id });
}

/** Renews an invitation, and accepts one by its token. */
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { KEY_LENGTH } from '../../model/companies/company';
import { INVITATION_MS, invitationStatus, type Caller } from '../../model/contacts/contact';
import { invalid, invitationExpired, noContact, noInvitation, notOwner } from '../../model/faults';
import { contactObject } from '../../model/wire';
import * as audit from '../../store/companies/audit';
import * as contacts from '../../store/contacts/contacts';

type Parts = Storage & Pick<Kernel, 'keys'>;

export function inviteContact(kernel: Storage, by: Caller, id: string): Promise<object> {
  ensure(by.isOwner, notOwner());
  const token = newSecret(KEY_LENGTH);
  return kernel.transaction(async ({ db }) => {
    const contact = await contacts.lock(db, by.companyId, id);
    if (!contact) throw noContact();
    ensure(contact.invitation.acceptedAt === null, invalid('This user has accepted already'));
    await contacts.invite(db, contact.id, { hash: kernel.secrets.lookup(token), lastsMs: INVITATION_MS });
    await audit.record(db, by, { action: 'contact.invite', object: id });
    const after = (await contacts.byId(db, by.companyId, id)) ?? contact;
    const object = contactObject(after, null, kernel.clock.now());
    return { ...object, invitation: { ...(object['invitation'] as object), token } };
  });
}

/** Needs no other credentials: the token is the proof. */
export async function acceptInvitation(kernel: Parts, token: string, from: string): Promise<object> {
  const hash = kernel.secrets.lookup(token);
  const shown = { keyHash: hash, from };
  if (!(await kernel.keys.find(shown, () => contacts.invited(kernel.mysql, hash)))) throw noInvitation();
  return kernel.transaction(async ({ db }) => {
    const contact = await contacts.lockInvited(db, hash);
    if (!contact) throw noInvitation();
    const now = kernel.clock.now();
    ensure(invitationStatus(contact.invitation, now) === 'pending', invitationExpired());
    await contacts.accept(db, contact.id);
    const by = { companyId: contact.companyId, contactId: contact.id, from };
    await audit.record(db, by, { action: 'contact.accept', object: contact.id });
    const after = (await contacts.byId(db, contact.companyId, contact.id)) ?? contact;
    return contactObject(after, null, now);
  });
}

/** Who a company key and X-User-Id speak for. */
import type { Kernel } from '../../kernel/kernel';
import type { Caller, ContactId } from '../model/contact';
import { invalidKey, keyRequired, unknownUser, userRequired } from '../model/faults';
import * as contacts from '../store/contacts';
import * as keys from '../store/keys';

export async function findCaller(kernel: Kernel, authorization: string, userId: string): Promise<Caller> {
  const [, key] = /^Bearer\s+(\S{1,200})$/i.exec(authorization) ?? [];
  if (key === undefined) throw keyRequired();
  const companyId = await keys.companyOf(kernel.mysql, kernel.secrets.lookup(key));
  if (companyId === undefined) throw invalidKey();
  if (userId === '') throw userRequired();
  const contact = await contacts.roleOf(kernel.mysql, companyId, userId as ContactId | 'primary');
  if (!contact) throw unknownUser();
  return { companyId, contactId: contact.id, isOwner: contact.isPrimary };
}

/** Who a company key and X-User-Id speak for. */
import type { Kernel } from '../../kernel/kernel';
import type { Caller, ContactId } from '../model/contact';
import { invalidKey, keyRequired, unknownUser, userRequired } from '../model/faults';
import * as contacts from '../store/contacts';
import * as keys from '../store/keys';

/** What a request shows of its sender. */
export interface Shown {
  readonly authorization: string;
  readonly userId: string;
  readonly from: string;
}

export async function findCaller(kernel: Kernel, shown: Shown): Promise<Caller> {
  const { authorization, userId, from } = shown;
  const [, key] = /^Bearer\s+(\S{1,200})$/i.exec(authorization) ?? [];
  if (key === undefined) throw keyRequired();
  const companyId = await keys.companyOf(kernel.mysql, kernel.secrets.lookup(key));
  if (companyId === undefined) throw invalidKey();
  if (userId === '') throw userRequired();
  const contact = await contacts.roleOf(kernel.mysql, companyId, userId as ContactId | 'primary');
  if (!contact) throw unknownUser();
  return { companyId, contactId: contact.id, isOwner: contact.isPrimary, from };
}

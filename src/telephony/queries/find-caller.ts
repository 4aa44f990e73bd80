/** Who a company key and X-User-Id speak for. */
import { askedId } from '../../kernel/id';
import type { Kernel } from '../../kernel/kernel';
import type { Caller, ContactId } from '../model/contact';
import { invalidKey, keyRequired, unknownUser, userRequired } from '../model/faults';
import { isPublished } from '../model/published';
import * as keys from '../store/keys';

/** What a request shows of its sender. */
export interface Shown {
  readonly authorization: string;
  readonly userId: string;
  readonly from: string;
}

export async function findCaller(kernel: Kernel, shown: Shown): Promise<Caller> {
  const { authorization, from } = shown;
  const userId = askedId(shown.userId);
  const [, key] = /^Bearer\s+(\S{1,200})$/i.exec(authorization) ?? [];
  if (key === undefined) throw keyRequired();
  if (isPublished(kernel.settings, key)) throw invalidKey();
  const keyHash = kernel.secrets.lookup(key);
  const found = await kernel.keys.find({ keyHash, from }, () =>
    keys.callerOf(kernel.mysql, keyHash, userId as ContactId | 'primary'),
  );
  if (!found) throw invalidKey();
  if (userId === '') throw userRequired();
  const { companyId, contactId, isPrimary } = found;
  if (contactId === null) throw unknownUser();
  return { companyId, contactId, isOwner: isPrimary === 1, from };
}

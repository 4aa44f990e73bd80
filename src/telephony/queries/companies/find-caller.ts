/** Authenticates an API key with X-User-Id, and checks the key's rights for the route. */
import { ensure } from '../../../kernel/fault';
import { searchableId } from '../../../kernel/id';
import type { Kernel, Storage } from '../../../kernel/kernel';
import { mayCall, type CalledRoute } from '../../model/companies/key';
import type { Caller, ContactId } from '../../model/contacts/contact';
import { invalidKey, keyRequired, unknownUser, userRequired } from '../../model/faults';
import { keyMayNot } from '../../model/portal/portal-faults';
import { isPublished } from '../../model/published';
import * as keys from '../../store/companies/keys';

type Parts = Storage & Pick<Kernel, 'keys' | 'log' | 'settings'>;

/** The credentials of a request. */
export interface Shown {
  readonly authorization: string;
  readonly userId: string;
  readonly from: string;
}

export async function findCaller(kernel: Parts, shown: Shown, route: CalledRoute): Promise<Caller> {
  const { authorization, from } = shown;
  const userId = searchableId(shown.userId);
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
  ensure(mayCall(found.rights, route), keyMayNot(found.rights));
  if (found.isUnnoted === 1) noteUse(kernel, keyHash);
  return { companyId, contactId, isOwner: isPrimary === 1, from };
}

/** Runs in the background; no request waits for it. */
export function noteUse(kernel: Pick<Kernel, 'log' | 'mysql'>, keyHash: string): void {
  keys
    .noteUse(kernel.mysql, keyHash)
    .catch((error: Error) => kernel.log.debug({ error }, 'could not store the time a key was last used'));
}

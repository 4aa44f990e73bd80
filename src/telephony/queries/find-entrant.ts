/** Who a socket speaks for: a company's key, and the user with that address, or the primary one. */
import type { Kernel } from '../../kernel/kernel';
import type { CompanyId } from '../model/company';
import type { Caller, ContactId } from '../model/contact';
import { invalidKey, unknownEmail } from '../model/faults';
import { isPublished } from '../model/published';
import * as contacts from '../store/contacts';
import * as keys from '../store/keys';

export interface Credentials {
  readonly token: string;
  readonly email: string | undefined;
  readonly from: string;
}

export interface Entrant {
  readonly caller: Caller;
  /** By which the key is known; the key itself is not kept. */
  readonly keyHash: string;
  /** They came in less than a second ago: there is nothing to note. */
  readonly enteredLately: boolean;
}

export async function findEntrant(kernel: Kernel, { token, email, from }: Credentials): Promise<Entrant> {
  if (isPublished(kernel.settings, token)) throw invalidKey();
  const keyHash = kernel.secrets.lookup(token);
  const found = await kernel.keys.find({ keyHash, from }, () => keys.entrantOf(kernel.mysql, keyHash, email));
  if (!found) throw invalidKey();
  const { companyId, contactId, isPrimary, enteredLately } = found;
  if (contactId === null) throw unknownEmail();
  return {
    caller: { companyId, contactId, isOwner: isPrimary === 1, from },
    keyHash,
    enteredLately: enteredLately === 1,
  };
}

export interface Access {
  readonly keyHashes: ReadonlySet<string>;
  readonly contactIds: ReadonlySet<ContactId>;
}

/** What of a company may still be connected: its keys, and those of the users who are there and enabled. */
export async function findAccess(kernel: Kernel, companyId: CompanyId, among: readonly ContactId[]): Promise<Access> {
  const [hashes, ids] = await Promise.all([
    keys.hashesOf(kernel.mysql, companyId),
    contacts.activeAmong(kernel.mysql, companyId, among),
  ]);
  return { keyHashes: new Set(hashes), contactIds: new Set(ids) };
}

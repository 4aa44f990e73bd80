/** How often a password may be tried: for the account it is tried on, and from the address it is tried from. */
import { hash } from 'node:crypto';
import { emailKey } from '../../kernel/email-key';
import type { RateLimit } from '../../kernel/http/rate-limit';
import type { RealmId } from '../model/realm';

export interface LoginLimits {
  readonly account: RateLimit;
  readonly address: RateLimit;
}

/** The same for every spelling of an address. */
export const accountKey = (realmId: RealmId, email: string): string => hash('sha256', `${realmId}:${emailKey(email)}`);

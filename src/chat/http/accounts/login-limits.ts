/** How often a password may be tried: for the account it is tried on, and from the address it is tried from. */
import { hash } from 'node:crypto';
import { emailKey } from '../../../kernel/email-key';
import type { RateLimit } from '../../../kernel/http/rate-limit';
import type { RealmId } from '../../model/organisation/realm';

export interface LoginLimits {
  readonly account: RateLimit;
  readonly address: RateLimit;
  /** Codes of a second factor for one account. */
  readonly codes: RateLimit;
}

/** Someone who knows the password would find a code of six digits in a day, were it tried as often as passwords are. */
export const CODE_TRIES = { seconds: 900, requests: 10 };

/** The same for every spelling of an address. */
export const accountKey = (realmId: RealmId, email: string): string => hash('sha256', `${realmId}:${emailKey(email)}`);

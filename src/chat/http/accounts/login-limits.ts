/** Rate limits for password attempts: per account, and per client address. */
import { hash } from 'node:crypto';
import { emailKey } from '../../../kernel/email-key';
import type { RateLimit } from '../../../kernel/rate-limit';
import type { RealmId } from '../../model/organisation/realm';

export interface LoginLimits {
  readonly account: RateLimit;
  readonly address: RateLimit;
  /** Attempts at second-factor codes for one account. */
  readonly codes: RateLimit;
}

/** With the limit for passwords, someone who knows the password could guess a six-digit code within a day. */
export const CODE_TRIES = { seconds: 900, requests: 10 };

/** The same key for every spelling of an address. */
export const accountKey = (realmId: RealmId, email: string): string => hash('sha256', `${realmId}:${emailKey(email)}`);

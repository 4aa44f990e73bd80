/** Rate limits for attempts to log in. */
import { hash } from 'node:crypto';
import { emailKey } from '../../../kernel/secrets/email-key';
import type { PasswordLimits } from '../../../kernel/web-pages/login-limits';
import type { RateLimit } from '../../../kernel/admission/rate-limit';
import type { RealmId } from '../../model/organisation/realm';

export interface LoginLimits extends PasswordLimits {
  /** Attempts at second-factor codes for one account. */
  readonly codes: RateLimit;
}

/** With the limit for passwords, someone who knows the password could guess a six-digit code within a day. */
export const CODE_TRIES = { seconds: 900, requests: 10 };

/** The same key for every spelling of an address. */
export const accountKey = (realmId: RealmId, email: string): string => hash('sha256', `${realmId}:${emailKey(email)}`);

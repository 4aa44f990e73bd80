/** The second factor of an account: authenticator codes, and recovery codes for a lost authenticator. */
import { randomInt } from 'node:crypto';
import { coded } from '../faults';

export const RECOVERY_CODES = 10;
/** Without characters that look like others. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const HALF = 5;

/** About 49 bits, which is enough because attempts are limited like those at other codes. */
export function newRecoveryCode(): string {
  const half = () => Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${half()}-${half()}`;
}

/** Normalises a typed code. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase();

export const isTotpShaped = (code: string): boolean => /^\d{6}$/.test(code);
export const isRecoveryShaped = (code: string): boolean => /^[a-z2-9]{10}$/.test(code);

/** The content of the QR code for an authenticator app. */
export function totpUri(secret: string, organisation: string, email: string): string {
  const [issuer, account] = [organisation.replaceAll(':', ' '), email].map(encodeURIComponent);
  return `otpauth://totp/${issuer}:${account}?secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`;
}

export const codeRequired = () =>
  coded('unauthenticated', 'CODE_REQUIRED', 'Type the code of your authenticator, or a recovery code');
const WRONG_CODE = 'The code is wrong, too old, or was used before';
export const badCode = () => coded('unauthenticated', 'BAD_CODE', WRONG_CODE);
export const wrongConfirmation = () => coded('invalid', 'BAD_CODE', WRONG_CODE);
export const wrongProof = () => coded('invalid', 'BAD_CREDENTIALS', 'The password or the code is wrong');
export const secondFactorMissing = () =>
  coded('forbidden', 'TWO_FACTOR_SETUP_REQUIRED', 'Your organization asks for a second factor; set one up first');
export const sessionsOnly = () =>
  coded('forbidden', 'SESSION_REQUIRED', 'Sign in on the page to set up a second factor; an API key cannot');
export const secondFactorIsOn = () => coded('conflict', 'TWO_FACTOR_ON', 'You have a second factor already');
export const secondFactorNotBegun = () => coded('conflict', 'TWO_FACTOR_NOT_BEGUN', 'Begin with a new secret first');

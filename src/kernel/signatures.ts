/** What others sign their calls with. Every comparison takes the same time whatever is compared. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Five minutes, as carriers, Slack and Stripe have it in their documents. */
const TOLERANCE_SECONDS = 300;

/** Of equal length by hashing, so that not even the length of the secret is told. */
export const isSame = (given: string, expected: string): boolean =>
  isSameOfItsLength(hash('sha256', given), hash('sha256', expected));

/** For what has a length that everybody knows, such as a signature in hexadecimals. */
export function isSameOfItsLength(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a time in whole seconds, as text, is not long ago nor far ahead. */
export function isLately(seconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1000 - Number(seconds)) <= TOLERANCE_SECONDS;
}

/** Written as text, which is cheaper than bytes: each of these would have memory of its own, outside of the heap. */
export const hmac = (
  algorithm: 'sha1' | 'sha256',
  secret: string,
  signed: string | Uint8Array,
  written: 'hex' | 'base64',
): string => createHmac(algorithm, secret).update(signed).digest(written);

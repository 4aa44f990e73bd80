/** Checks signatures of incoming calls. Every comparison takes constant time. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Five minutes, as carriers, Slack and Stripe document it. */
const TOLERANCE_SECONDS = 300;

/** Compares hashes, so that not even the length of the secret leaks. */
export const isSame = (given: string, expected: string): boolean =>
  isSameOfItsLength(hash('sha256', given), hash('sha256', expected));

/** For values of a publicly known length, such as a hexadecimal signature. */
export function isSameOfItsLength(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a Unix time in whole seconds, as text, is near the present. */
export function isLately(seconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1000 - Number(seconds)) <= TOLERANCE_SECONDS;
}

/** Returns text, which is cheaper than a Buffer: each Buffer would have its own memory outside the heap. */
export const hmac = (
  algorithm: 'sha1' | 'sha256',
  secret: string,
  signed: string | Uint8Array,
  written: 'hex' | 'base64',
): string => createHmac(algorithm, secret).update(signed).digest(written);

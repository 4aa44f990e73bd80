/** What carriers sign their calls with; every comparison takes the same time whatever is compared. */
import { createHmac, createPublicKey, hash, timingSafeEqual, verify } from 'node:crypto';

/** From the contract and from Telnyx' documents. */
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

/** As text, which is cheaper than bytes: each of these would have memory of its own, outside of the heap. */
export const hmac = (algorithm: 'sha1' | 'sha256', secret: string, text: string, written: 'hex' | 'base64'): string =>
  createHmac(algorithm, secret).update(text).digest(written);

/** What comes before a bare Ed25519 key in the form that Node reads. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Key and signature in base64. */
export function isSignedWithEd25519(publicKey: string, signature: string, text: string): boolean {
  try {
    const der = Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    // A key or a signature of another length.
    return false;
  }
}

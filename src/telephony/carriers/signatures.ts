/** What Telnyx signs its calls with. */
import { createPublicKey, verify } from 'node:crypto';

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

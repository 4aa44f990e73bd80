/** Verifies Ed25519 signatures, which Telnyx uses for its calls. */
import { createPublicKey, verify } from 'node:crypto';

/** The DER prefix that makes a bare Ed25519 key an SPKI key. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Key and signature are base64. */
export function isSignedWithEd25519(publicKey: string, signature: string, text: string): boolean {
  try {
    const der = Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    // The key or signature has the wrong length.
    return false;
  }
}

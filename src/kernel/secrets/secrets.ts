/** Protects credentials: a keyed hash to find them by, a cipher to show them again. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export interface Secrets {
  /** The hash that a key is looked up by. The same key always has the same hash. */
  lookup(key: string): string;
  /** An unguessable token for a purpose. The same nonce gives the same token, which therefore need not be stored. */
  token(purpose: string, nonce: string): string;
  encrypt(text: string): string;
  decrypt(sealed: string): string;
}

export function openSecrets(secretKey: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'partyline', purpose, 32));
  const lookupKey = derive('lookup');
  const cipherKey = derive('cipher');
  const tokenKey = derive('token');

  return {
    lookup: (key) => createHmac('sha256', lookupKey).update(key).digest('hex'),

    token: (purpose, nonce) => createHmac('sha256', tokenKey).update(`${purpose}:${nonce}`).digest('base64url'),

    encrypt(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },

    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}

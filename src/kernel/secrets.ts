/** Keeps credentials: a keyed hash to find them by, a cipher to show them again, scrypt for passwords. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';

export interface Secrets {
  /** The hash under which a key is looked up. The same key always has the same hash. */
  lookup(key: string): string;
  encrypt(text: string): string;
  decrypt(sealed: string): string;
  hashPassword(password: string): Promise<string>;
  checkPassword(password: string, hash: string): Promise<boolean>;
}

const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
/** One scrypt takes 100 ms of a core: more than two at once would starve everything else. */
const MOST_AT_ONCE = 2;

export function openSecrets(secretKey: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'partyline', purpose, 32));
  const lookupKey = derive('lookup');
  const cipherKey = derive('cipher');
  const turn = atMost(MOST_AT_ONCE);

  return {
    lookup: (key) => createHmac('sha256', lookupKey).update(key).digest('hex'),

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

    async hashPassword(password) {
      const salt = randomBytes(16);
      const hash = await turn(() => derivePassword(password, salt));
      return `scrypt$${salt.toString('base64')}$${hash.toString('base64')}`;
    },

    async checkPassword(password, stored) {
      const [scheme, salt = '', expected = ''] = stored.split('$');
      const hash = await turn(() => derivePassword(password, Buffer.from(salt, 'base64')));
      const known = Buffer.from(expected, 'base64');
      return scheme === 'scrypt' && known.length === hash.length && timingSafeEqual(hash, known);
    },
  };
}

function derivePassword(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Runs at most so many tasks at once; the others wait their turn. */
function atMost(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

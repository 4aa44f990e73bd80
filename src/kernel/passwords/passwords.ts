/** Hashes passwords with scrypt and estimates their strength. Both wait in the password queue. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { KernelSettings } from '../settings';
import { PasswordQueue, type Requester } from './password-queue';
import type { StrengthEstimate } from './password-strength';

export interface Passwords {
  hash(password: string, by: Requester): Promise<string>;
  /** Without an account it checks a dummy hash, which takes as long. A `stored` function is called after the wait. */
  check(password: string, stored: string | null | (() => Promise<string | null>), by: Requester): Promise<boolean>;
  /** Whether the hash was made with other parameters than a new one would be. */
  isOutdated(stored: string): boolean;
  /** Approximate guesses needed by somebody who knows these words. */
  guesses(password: string, words: readonly string[], by: Requester): Promise<number>;
}

/** Longer passwords are refused unhashed: nobody types them. */
export const MAX_PASSWORD_LENGTH = 1000;

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** With five rounds, OWASP's recommendation for 16 MiB. More memory would be a risk when many users log in at once. */
const costOf = (rounds: number): Cost => ({ N: 16_384, r: 8, p: rounds });
/** The cost of hashes that do not name theirs. */
const FIRST_COST: Cost = { N: 32_768, r: 8, p: 1 };
const MEMORY = { maxmem: 64 * 1024 * 1024 };
const BYTES = 32;

interface Stored {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

export function openPasswords(
  { passwordQueue, passwordRounds }: Pick<KernelSettings, 'passwordQueue' | 'passwordRounds'>,
  strength: StrengthEstimate,
): Passwords {
  const queue = new PasswordQueue(passwordQueue);
  const usual = costOf(passwordRounds);
  return {
    async hash(password, by) {
      const salt = randomBytes(16);
      const key = await queue.run(by, () => derive(password, salt, usual));
      return ['scrypt', usual.N, usual.r, usual.p, salt.toString('base64'), key.toString('base64')].join('$');
    },

    async check(password, stored, by) {
      if (password.length > MAX_PASSWORD_LENGTH) return false;
      return queue.run(by, async () => {
        const known = readStored((typeof stored === 'function' ? await stored() : stored) ?? '');
        const { salt, cost } = known ?? { salt: Buffer.alloc(16), cost: usual };
        const key = await derive(password, salt, cost);
        return known !== undefined && known.key.length === BYTES && timingSafeEqual(key, known.key);
      });
    },

    isOutdated(stored) {
      const { N, r, p } = readStored(stored)?.cost ?? usual;
      return N !== usual.N || r !== usual.r || p !== usual.p;
    },

    guesses: (password, words, by) => queue.run(by, () => strength.guesses(password, words)),
  };
}

function readStored(stored: string): Stored | undefined {
  const [scheme, ...parts] = stored.split('$');
  if (scheme !== 'scrypt' || (parts.length !== 2 && parts.length !== 5)) return undefined;
  const [salt = '', key = ''] = parts.slice(-2);
  const [N = 0, r = 0, p = 0] = parts.slice(0, -2).map(Number);
  const cost = parts.length === 2 ? FIRST_COST : { N, r, p };
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, BYTES, { ...cost, ...MEMORY }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** New ids: sortable by second, so that they lie together in an index, and otherwise unguessable. */
import { randomBytes } from 'node:crypto';

/** 24 hex digits: four bytes of time, eight random bytes. */
export function newId(): string {
  const seconds = Math.floor(Date.now() / 1000)
    .toString(16)
    .padStart(8, '0');
  return seconds + randomBytes(8).toString('hex');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random secret of letters and digits, every character equally likely. */
export function newSecret(length: number): string {
  let secret = '';
  while (secret.length < length) {
    // 248 is the largest multiple of 62 in a byte. Larger values would favour the first letters.
    for (const byte of randomBytes(length)) if (byte < 248 && secret.length < length) secret += ALPHABET[byte % 62];
  }
  return secret;
}

// oxlint-disable-next-line no-control-regex -- everything that is not visible ASCII
const IMPOSSIBLE = /[^\x20-\x7e]/g;

/**
 * An id from outside, made safe to look up. Ids and their columns are ASCII, and the database refuses to compare them
 * with other characters. An id with such characters cannot exist: it is looked up under a spelling that no id has, and
 * answered like every unknown id.
 */
export const searchableId = (written: string): string => written.replace(IMPOSSIBLE, '?');

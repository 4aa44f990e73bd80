/** The key that email addresses are compared by. Two spellings with one key name the same account. */

/** Longest address that mail can be sent to (RFC 5321: a path of 256 characters in angle brackets). */
export const LONGEST_EMAIL = 254;

/** Control and format characters, and all others that are displayed as nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export const hasInvisible = (text: string): boolean => text.search(INVISIBLE) !== -1;

/** Trimmed, NFKC-normalised, lower-case, without invisible characters. Accents count: máil is not mail. */
export function emailKey(email: string): string {
  // Nearly all addresses are plain ASCII, and the full normalisation is expensive.
  if (/^[!-~]*$/.test(email)) return email.toLowerCase();
  const visible = email.replace(INVISIBLE, '');
  return visible.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

export const isSameEmail = (one: string, other: string): boolean => one === other || emailKey(one) === emailKey(other);

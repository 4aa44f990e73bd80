/** How email addresses are compared. */

/** Longest address that mail can be sent to (RFC 5321: a path of 256 characters in angle brackets). */
export const MAX_EMAIL_LENGTH = 254;

/**
 * Control and format characters, all others that are displayed as nothing, such as the empty Braille pattern, and what
 * stands for a character that could not be read.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\ufffd]/gu;
/** Read as a dot by mail servers. */
const IDEOGRAPHIC_STOP = '\u3002';

/**
 * Trimmed, NFKC-normalised, lower-case, without invisible characters. Accents count: máil is not mail. Keeps look-alike
 * spellings from becoming two accounts of a tenant, and counts attempts. It never says whose account it is: mail to two
 * spellings with one key may reach two people. Compare with isSameEmail for that.
 */
export function emailKey(email: string): string {
  // Nearly all addresses are plain ASCII, and the full normalisation is expensive.
  if (/^[!-~]*$/.test(email)) return email.toLowerCase();
  const visible = email.replace(INVISIBLE, '');
  const plain = visible.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  return plain.replaceAll(IDEOGRAPHIC_STOP, '.');
}

/** The address itself: without ASCII white space around it, with ASCII letters in lower case. */
export const exactEmail = (email: string): string =>
  // Nearly always there is nothing to change, and this runs for every request.
  /[A-Z\t\n\r ]/.test(email) ? trimmedAndLower(email) : email;

const trimmedAndLower = (email: string): string =>
  email.replaceAll(/^[\t\n\r ]+|[\t\n\r ]+$/g, '').replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether it is one person's address. Only the case of ASCII letters and spaces around it may differ. */
export const isSameEmail = (one: string, other: string): boolean =>
  one === other || exactEmail(one) === exactEmail(other);

/** Whether a new account may have this spelling: nothing in it is invisible or has a plainer form in Unicode (NFKC). */
export const isPlainlySpelled = (email: string): boolean =>
  email.search(INVISIBLE) === -1 && !email.includes(IDEOGRAPHIC_STOP) && email.normalize('NFKC') === email;

/** Reads what a Basic authorization header carries. One text has one spelling: any other is refused. */

/** An address of 254 characters of four bytes, a key, and room. */
const LONGEST_ENCODED = 2000;

/** Undefined for what is too long, or is not base64 exactly as an encoder writes it. */
export function decodeBasic(encoded: string): string | undefined {
  if (encoded.length > LONGEST_ENCODED) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}

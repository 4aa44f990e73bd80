/** Decodes the credentials of a Basic authorization header. Only the canonical base64 of a text is accepted. */

/** An email address of 254 four-byte characters, a key, and room to spare. */
const MAX_ENCODED_LENGTH = 2000;

/** Undefined if the text is too long, or is not base64 exactly as an encoder writes it. */
export function decodeBasic(encoded: string): string | undefined {
  if (encoded.length > MAX_ENCODED_LENGTH) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}

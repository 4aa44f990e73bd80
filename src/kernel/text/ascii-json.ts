/** JSON with every non-ASCII character escaped: its length is its size in bytes, and it is sent without encoding. */

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Non-ASCII characters occur only inside JSON strings, where an escape means the same. */
export const asciiJson = (json: string): string => json.replace(/[\u0080-\uffff]/g, escaped);

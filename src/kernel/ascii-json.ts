/** JSON in ASCII alone: it says the same, its length in bytes is its length, and it is sent without being encoded. */

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Beyond ASCII JSON has only what stands in strings, where every sign may be written as an escape. */
export const asciiJson = (json: string): string => json.replace(/[\u0080-\uffff]/g, escaped);

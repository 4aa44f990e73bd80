/** Reads the bytes of a file as text. Spreadsheets write in different encodings and rarely say in which. */

export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** A guess by the beginning of the file is as good as by the whole. */
const LOOKED_AT = 2000;
/** In UTF-16, every other byte of a Western text is zero. */
const MANY_ZEROS = 0.3;

export function guessEncoding(bytes: Uint8Array): Encoding {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return marked[0];
  const head = bytes.subarray(0, LOOKED_AT);
  const zerosAt = (odd: number): number => head.filter((byte, at) => byte === 0 && at % 2 === odd).length;
  const many = (head.length / 2) * MANY_ZEROS;
  if (zerosAt(1) > many) return 'utf-16le';
  if (zerosAt(0) > many) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export const decode = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);

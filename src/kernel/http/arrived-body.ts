/**
 * A body that came whole and plain together with its head, as nearly all do: it lies ready, and is taken at once. Whatever
 * else there is of bodies is left to the library, so there is nothing here to refuse.
 */
import type { IncomingMessage } from 'node:http';
import { isTooDeep } from '../json-depth';
import { mayHoldHalves } from '../whole-text';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Makes something of it. Undefined where it is not all here, is not plain, is larger than this, or where nothing was
 * made of it: then it is all still there, for the library to read.
 */
export async function readArrived<T>(
  request: IncomingMessage,
  limit: number,
  make: (bytes: Buffer) => T | undefined,
): Promise<T | undefined> {
  const { headers } = request;
  if (headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined;
  const length = Number(headers['content-length']);
  // Not NaN either.
  if (!(length <= limit)) return undefined;
  // Node tells of a request when it has read the head; it reads the rest of the same packet right after.
  if (request.readableLength < length) await Promise.resolve();
  if (request.readableLength !== length) return undefined;
  const bytes = length === 0 ? Buffer.alloc(0) : (request.read() as Buffer);
  const made = make(bytes);
  if (made !== undefined) request.resume();
  else if (length > 0) request.unshift(bytes);
  return made;
}

/** As the library reads it: without a mark of the byte order. */
export function textOf(bytes: Buffer): string {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', isMarked ? 3 : 0);
}

/** Could be a name that changes what an object is, in one of its spellings. */
const SUSPICIOUS = /__proto__|\\u00/;

/** An object or a list with nothing uncommon about it; undefined for all else, also for what is no JSON. */
export function readPlainJson(text: string, depthLimit: number): object | undefined {
  if (text[0] !== '{' && text[0] !== '[') return undefined;
  if (SUSPICIOUS.test(text) || mayHoldHalves(text) || isTooDeep(text, depthLimit)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** The `to` of a message in all the shapes clients send it: JSON or not, one or many, names or ids. */
import { badArgument } from './faults';

/** Names of streams or emails of users, or their ids; never both. */
export type Addressees = readonly string[] | readonly number[];

export function readAddressees(to: string): Addressees {
  const written = parsed(to);
  const list = typeof written === 'string' ? written.split(',') : written;
  if (!Array.isArray(list)) throw badArgument('to', to);
  const items: unknown[] = list;
  if (items.every((item) => typeof item === 'number' && Number.isSafeInteger(item))) {
    return [...new Set(items as number[])];
  }
  if (!items.every((item) => typeof item === 'string')) throw badArgument('to', to);
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
}

/** What no name begins with, or hardly any: failing to read a name as JSON is dear. */
const LOOKS_LIKE_JSON = /^\s*(?:[[{"\d-]|(?:true|false|null)\s*$)/;

function parsed(to: string): unknown {
  if (!LOOKS_LIKE_JSON.test(to)) return to;
  try {
    return JSON.parse(to);
  } catch {
    // Plain text: a name, or several with commas between.
    return to;
  }
}

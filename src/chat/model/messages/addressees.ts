/** Parses a message's `to` in all shapes that clients send: JSON or not, one or many, names or ids. */
import { badArgument, badRequest } from '../faults';

/** Each recipient is looked up, and receives every message of the conversation. */
const MAX_ADDRESSEES = 1000;

/** Stream names, email addresses or ids; never mixed. */
export type Addressees = readonly string[] | readonly number[];

/** For a private message: a JSON list, a comma-separated list, or a single recipient. */
export function readAddressees(to: string): Addressees {
  const written = parsed(to);
  const list = typeof written === 'string' ? splitAtCommas(written) : typeof written === 'number' ? [written] : written;
  return checkedList(list, to);
}

/** For a stream message: the literal name. Only lists and quoted text are JSON. */
export function readStreamAddress(to: string): Addressees {
  if (!LOOKS_LIKE_JSON.test(to)) return namesIn([to]);
  const written = parsed(to);
  return checkedList(Array.isArray(written) ? written : [typeof written === 'string' ? written : to], to);
}

function checkedList(list: unknown, to: string): Addressees {
  if (!Array.isArray(list)) throw badArgument('to', to);
  const items: unknown[] = list;
  if (items.length > MAX_ADDRESSEES) throw badRequest(`Too many recipients (limit: ${MAX_ADDRESSEES})`);
  if (items.every((item) => typeof item === 'number' && Number.isSafeInteger(item))) {
    return [...new Set(items as number[])];
  }
  if (!items.every((item) => typeof item === 'string')) throw badArgument('to', to);
  return namesIn(items);
}

/** Trimmed, without duplicates. */
function namesIn(items: readonly string[]): readonly string[] {
  const names = items.map((item) => item.trim()).filter((item) => item !== '');
  return names.length > 1 ? [...new Set(names)] : names;
}

/** No email address is a number, so a list of numbers holds ids. */
function splitAtCommas(written: string): Addressees {
  const items = written.split(',');
  return items.every((item) => /^\s*\d{1,15}\s*$/.test(item)) ? items.map(Number) : items;
}

/** Hardly any name starts like this. The check avoids the cost of failing to parse names as JSON. */
const LOOKS_LIKE_JSON = /^\s*(?:[[{"\d-]|(?:true|false|null)\s*$)/;

function parsed(to: string): unknown {
  if (!LOOKS_LIKE_JSON.test(to)) return to;
  try {
    return JSON.parse(to);
  } catch {
    // Plain text: a name, or several separated by commas.
    return to;
  }
}

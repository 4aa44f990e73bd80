/** The `to` of a message in all the shapes clients send it: JSON or not, one or many, names or ids. */
import { badArgument, badRequest } from '../faults';

/** Each is looked up, and hears everything that is said in the conversation. */
const MOST_ADDRESSEES = 1000;

/** Names of streams or emails of users, or their ids; never both. */
export type Addressees = readonly string[] | readonly number[];

/** Of a private message: a list as JSON or with commas between, or one of them as it stands. */
export function readAddressees(to: string): Addressees {
  const written = parsed(to);
  const list = typeof written === 'string' ? splitAtCommas(written) : typeof written === 'number' ? [written] : written;
  return checkedList(list, to);
}

/** Of a message to a stream: its name as it stands, whatever that looks like; only lists and quoted text are JSON. */
export function readStreamAddress(to: string): Addressees {
  if (!LOOKS_LIKE_JSON.test(to)) return namesIn([to]);
  const written = parsed(to);
  return checkedList(Array.isArray(written) ? written : [typeof written === 'string' ? written : to], to);
}

function checkedList(list: unknown, to: string): Addressees {
  if (!Array.isArray(list)) throw badArgument('to', to);
  const items: unknown[] = list;
  if (items.length > MOST_ADDRESSEES) throw badRequest(`Too many recipients (limit: ${MOST_ADDRESSEES})`);
  if (items.every((item) => typeof item === 'number' && Number.isSafeInteger(item))) {
    return [...new Set(items as number[])];
  }
  if (!items.every((item) => typeof item === 'string')) throw badArgument('to', to);
  return namesIn(items);
}

/** Each once, without blanks around it. */
function namesIn(items: readonly string[]): readonly string[] {
  const names = items.map((item) => item.trim()).filter((item) => item !== '');
  return names.length > 1 ? [...new Set(names)] : names;
}

/** No email is a number: where all are, they are ids. */
function splitAtCommas(written: string): Addressees {
  const items = written.split(',');
  return items.every((item) => /^\s*\d{1,15}\s*$/.test(item)) ? items.map(Number) : items;
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

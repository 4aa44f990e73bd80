/** Which column of a file is which field of an extension. */
import { plainCsv } from './csv';

/** The fields that people fill in most; a file may name any other field of the API by its own name. */
export const USUAL_FIELDS = 'extension name description voicemail_email outboundcid user_id location_id purpose'.split(
  ' ',
);

/** Names that spreadsheets use for them. */
const OTHER_NAMES = new Map([
  ['number', 'extension'],
  ['ext', 'extension'],
  ['id', 'extension'],
  ['nebenstelle', 'extension'],
  ['durchwahl', 'extension'],
  ['full name', 'name'],
  ['display name', 'name'],
  ['displayname', 'name'],
  ['email', 'voicemail_email'],
  ['mail', 'voicemail_email'],
  ['callerid', 'outboundcid'],
  ['beschreibung', 'description'],
]);

export const IGNORED = '';

/** By position. The fields that the server knows are taken by their names, as in an export of FreePBX. */
export function guessColumns(heading: readonly string[], known: ReadonlySet<string>): string[] {
  const taken = new Set<string>();
  return heading.map((written) => {
    const name = written.trim().toLowerCase();
    const field = known.has(name) && name !== 'id' ? name : (OTHER_NAMES.get(name) ?? IGNORED);
    if (field === IGNORED || taken.has(field)) return IGNORED;
    taken.add(field);
    return field;
  });
}

/** What the API takes: a heading of its own names, and of each line the cells that are mapped. */
export function mappedCsv(lines: readonly (readonly string[])[], columns: readonly string[]): string {
  const places = columns.flatMap((field, at) => (field === IGNORED ? [] : [at]));
  const rows = lines.map((line) => places.map((at) => line[at]?.trim() ?? ''));
  return plainCsv([places.map((at) => columns[at]!), ...rows]);
}

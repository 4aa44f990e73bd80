/** Maps the columns of a file to the fields of an extension. */
import { plainCsv } from './csv';

/** The fields that are filled in most. A file may use any other API field by its own name. */
export const USUAL_FIELDS =
  'extension name description voicemail_email outboundcid user_email location user_id location_id purpose'.split(' ');

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
  ['person', 'user_email'],
  ['user', 'user_email'],
  ['benutzer', 'user_email'],
  ['site', 'location'],
  ['standort', 'location'],
  ['callerid', 'outboundcid'],
  ['beschreibung', 'description'],
]);

export const IGNORED = '';

/** A field per column, by position. The server's field names are recognised, as in an export of FreePBX. */
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

/** A column by which a line may delete the messages in a mailbox of the PBX. */
export const DISCARD = 'discard_voicemail';

/** Builds the CSV for the API: a header of API names, the mapped cells of each line, and what every line gets. */
export function mappedCsv(
  lines: readonly (readonly string[])[],
  columns: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const places = columns.flatMap((field, at) => (field === IGNORED || field in more ? [] : [at]));
  const rows = lines.map((line) => [...places.map((at) => line[at]?.trim() ?? ''), ...Object.values(more)]);
  return plainCsv([[...places.map((at) => columns[at]!), ...Object.keys(more)], ...rows]);
}

/** Translates API field names and row numbers into the columns and lines of the user's file. */
import { refusalText } from '../../shared/texts/refusals';
import { IGNORED } from './columns';

export interface FileNames {
  /** The column heading that each field came from. */
  readonly columns: Readonly<Record<string, string>>;
  /** The line of each row, as a spreadsheet counts: headings and empty lines count too. */
  readonly lines: readonly number[];
}

/** Without a known file, the API's names are shown. */
export const NO_FILE: FileNames = { columns: {}, lines: [] };

export const namesOf = (
  heading: readonly string[],
  columns: readonly string[],
  lines: readonly number[],
): FileNames => ({
  columns: Object.fromEntries(columns.flatMap((field, at) => (field === IGNORED ? [] : [[field, heading[at]!]]))),
  lines,
});

export const lineOf = ({ lines }: FileNames, row: number): number => lines[row - 1] ?? row;

/** Columns by the paths that the API names. */
const COLUMNS = new Map([
  ['user', 'user_id'],
  ['user.id', 'user_id'],
  ['user.work_email', 'user_email'],
  ['location.name', 'location'],
  ['data.id', 'extension'],
]);

const fieldOf = (path: string): string => COLUMNS.get(path) ?? path.replace(/^data\./, '');

/** The error of a line in the user's language, with their column names. */
export function wordsInFile({ columns }: FileNames, detail: string): string {
  return refusalText(detail).replace(/(^|; )([a-z_]+(?:\.\w+)?)(?=: )/g, (_, before: string, path: string) => {
    const field = fieldOf(path);
    return before + (columns[field] ?? field);
  });
}

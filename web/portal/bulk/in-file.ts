/** The names that a person's file has: the API names fields, the person knows columns and lines. */
import { refusalText } from '../../shared/texts/refusals';
import { IGNORED } from './columns';

export interface FileNames {
  /** The heading of the column that each field came from. */
  readonly columns: Readonly<Record<string, string>>;
  /** Of each row, as a spreadsheet counts: the heading has a line, and so has a line with nothing on it. */
  readonly lines: readonly number[];
}

/** Of an order whose file is not known here, rows and fields have the names of the API. */
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

const fieldOf = (path: string): string => {
  if (/^user(\.id)?$/.test(path)) return 'user_id';
  return path === 'data.id' ? 'extension' : path.replace(/^data\./, '');
};

/** What is wrong with a line, in the person's language, by the names of their columns. */
export function wordsInFile({ columns }: FileNames, detail: string): string {
  return refusalText(detail).replace(/(^|; )([a-z_]+(?:\.\w+)?)(?=: )/g, (_, before: string, path: string) => {
    const field = fieldOf(path);
    return before + (columns[field] ?? field);
  });
}

const KEY = 'partyline:bulk-file:';

/** A tab knows the names of the files that it ordered, also when its page is loaded again. */
export function keepNames(order: string, names: FileNames): void {
  try {
    sessionStorage.setItem(KEY + order, JSON.stringify(names));
  } catch {
    // Then the API's names are shown.
  }
}

export function keptNames(order: string): FileNames {
  try {
    return JSON.parse(sessionStorage.getItem(KEY + order) ?? '') as FileNames;
  } catch {
    return NO_FILE;
  }
}

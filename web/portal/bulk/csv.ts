/** Reads and writes CSV as spreadsheets do. */

export interface Line {
  /** Line number as in a spreadsheet, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Skips empty lines. Spreadsheets in some countries separate by semicolons. */
export function readCsv(text: string): Line[] {
  const source = text.replace(/^\ufeff/, '');
  const separator = separatorOf(source);
  const lines: Line[] = [];
  let line = 0;
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    cell = '';
    line += 1;
    if (row.length > 1 || row[0] !== '') lines.push({ line, cells: row });
    row = [];
  };
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (source[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  endRow();
  return lines;
}

function separatorOf(source: string): ',' | ';' {
  const [heading = ''] = source.split('\n', 1);
  return heading.includes(';') && !heading.includes(',') ? ';' : ',';
}

/** Prefixes cells that a spreadsheet would run as a formula with an apostrophe. */
const guarded = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);

const quoted = (cell: string): string => (/[",;\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** For programs: cells unchanged. */
export const plainCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');

/** For people, who open it in a spreadsheet. */
export const writeCsv = (rows: readonly (readonly string[])[]): string => plainCsv(rows.map((row) => row.map(guarded)));

/** Parses CSV as spreadsheets write it: quotes, doubled quotes, LF and CRLF line ends. */

/** Returns an error message if the text is invalid. */
export function readCsv(text: string): string[][] | string {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const source = text.replace(/^\ufeff/, '');
  const endRow = () => {
    row.push(cell);
    cell = '';
    // Empty lines are skipped.
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (source[at + 1] === '"') cell += source[++at]!;
      else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === ',') {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  if (isQuoted) return 'a quote is not closed';
  endRow();
  return rows;
}

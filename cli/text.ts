/** Text for people: aligned columns, without terminal control characters. */

/** Names come from users: an escape sequence in one must not reach the terminal. */
// oxlint-disable-next-line no-control-regex -- exactly these characters are meant
const clean = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

export type Cell = string | number | boolean | Date | null;

function print(cell: Cell): string {
  if (cell === null || cell === '') return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return clean(cell instanceof Date ? cell.toISOString() : String(cell));
}

/** One line per row, below a line of headings. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[], nothing: string): string {
  return rows.length === 0 ? nothing : columns([headings, ...rows]);
}

export function columns(rows: readonly (readonly Cell[])[]): string {
  const printed = rows.map((row) => row.map(print));
  const widths = printed.reduce<number[]>(
    (most, row) => row.map((text, index) => Math.max(text.length, most[index] ?? 0)),
    [],
  );
  return printed
    .map((row) =>
      row
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What a command made, one line per fact. */
export const facts = <Data extends Readonly<Record<string, Cell>>>(data: Data) => ({
  data,
  text: columns(Object.entries(data)),
});

/** "1 company", "2 companies". */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

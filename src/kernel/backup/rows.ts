/** The row format of a backup: one JSON array of texts per line, with binary columns in base64. */
import type { RawRow } from '../mysql/alone';
import { literal } from '../mysql/literal';
import type { Column } from './table-shape';

export function encodeRow(row: RawRow, columns: readonly Column[]): string {
  const values = row.map((value, index) => value?.toString(columns[index]!.isBinary ? 'base64' : 'utf8') ?? null);
  return `${JSON.stringify(values)}\n`;
}

/** The row for VALUES. MySQL converts texts to numbers and times by itself. */
export function valuesOf(line: string, columns: readonly Column[]): string {
  const values = JSON.parse(line) as (string | null)[];
  const isRow =
    values.length === columns.length && values.every((value) => value === null || typeof value === 'string');
  if (!isRow) throw new Error('a row of the backup is not made of texts, one for each column');
  const written = values.map((value, index) =>
    value !== null && columns[index]!.isBinary ? hexOf(value) : literal(value),
  );
  return `(${written.join(',')})`;
}

const hexOf = (base64: string): string => `x'${Buffer.from(base64, 'base64').toString('hex')}'`;
